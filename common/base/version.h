// The version of the course. CHANGELOG.md describes each version.
#ifndef VERSION_H
#define VERSION_H

#define LADDER_VERSION "1.0"

#endif
