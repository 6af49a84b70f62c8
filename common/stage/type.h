// Element types of arrays, for the harness and for the stages of a week with several types.
#ifndef TYPE_H
#define TYPE_H

enum type { TYPE_U8, TYPE_I32, TYPE_F32, TYPE_F64, TYPE_BF16 };

#endif
