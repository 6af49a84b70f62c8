// The texture objects of an image.
#ifndef TEXTURES_H
#define TEXTURES_H

#include "convolution.h"

// Sets image->bytes and image->floats for image->in, or both to 0 where textures do not take its
// pitch or size. They are made when an image at this place and of this shape comes for the first
// time, and then kept: a stage's first calls are checks, so that making them is never timed.
void textures_of(struct image *);

#endif
