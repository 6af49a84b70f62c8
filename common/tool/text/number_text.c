#include "text.h"

#include <math.h>

const char *short_number(double v)
{
    double a = fabs(v);

    if (v == floor(v) && a < 1e4)
        return text_of("%.0f", v);
    if (a >= 1e9 && a < 1e12)
        return text_of("%.3gG", v / 1e9);
    if (a >= 1e4 && a < 1e9)
        return a >= 1e6 ? text_of("%.3gM", v / 1e6) : text_of("%.3gk", v / 1e3);
    return a >= 99.95 ? text_of("%.0f", v) : a >= 0.001 ? text_of("%.3g", v) : text_of("%.1e", v);
}

const char *percent_text(double share)
{
    return text_of(share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}

// The factor by which a value is shown, a power of 1000. Sets the prefix of *unit: 4531 "GB/s" is
// 4.53 "TB/s".
double unit_scale(double value, const char **unit)
{
    static const char *const prefix[] = { "p", "n", "µ", "m", "", "k", "M", "G", "T", "P" };
    double scale = 1;
    int at = 4;

    if (!(*unit)[0])
        return 1;
    if ((*unit)[0] == 'G')
        (*unit)++, at = 7;
    while (fabs(value) * scale >= 999.5 && at < 9)
        scale /= 1000, at++;
    while (value != 0 && fabs(value) * scale < 0.9995 && at > 0)
        scale *= 1000, at--;
    *unit = text_of("%s%s", prefix[at], *unit);
    return scale;
}

const char *three_digits(double v)
{
    return text_of("%.*f", v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v);
}

const char *readable(double value, const char *unit)
{
    double v = value * unit_scale(value, &unit);

    if (isnan(value))
        return "";
    if (!unit[0])
        return short_number(value);
    return text_of("%s %s", three_digits(v), unit);
}
