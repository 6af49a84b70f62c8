// The texture objects of an image.
#ifndef TEXTURES_H
#define TEXTURES_H

#include "convolution.h"

// Sets image->bytes and image->floats for image->in, or both to 0 if textures do not support its
// pitch or size. The first call for an address and shape creates the textures; later calls reuse
// them. A stage's first calls are checks, so that the creation is never timed.
void textures_of(struct image *);

#endif
