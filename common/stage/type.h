// The kinds of element that arrays have: known to the harness, and to stages of a week that has
// several.
#ifndef TYPE_H
#define TYPE_H

enum type { TYPE_U8, TYPE_I32, TYPE_F32, TYPE_F64 };

#endif
