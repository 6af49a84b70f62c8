// Numbers as figures and tables for readers show them.
#ifndef NUMBER_TEXT_H
#define NUMBER_TEXT_H

// A value with three significant digits: 4531.17 "GB/s" is "4.53 TB/s". "" for NaN.
const char *readable(double value, const char *unit);
const char *short_number(double value);

// At least three digits: "4531", "45.3", "4.53".
const char *three_digits(double value);

// The factor by which a value is shown, a power of 1000. Sets the prefix of *unit: 4531 "GB/s" is
// 4.531 "TB/s".
double unit_scale(double value, const char **unit);
const char *percent_text(double share);

#endif
