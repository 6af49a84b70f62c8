// The runs that do something other than measure one size. Each returns the program's exit status.
#ifndef MODES_H
#define MODES_H

int check_all(void);   // --check
int shmoo(void);       // --shmoo
int once(void);        // --once

#endif
