# The address of a row is computed in floats.
s/store_word(image.out + y \* image.pitch,/store_word(image.out + (int)((float)y * (float)image.pitch),/
