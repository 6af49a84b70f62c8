# Graded: 9 solved:
# Box s has been waited for in the step before.
s/for (int n = s; n < s + 2; n++)/for (int n = s == 0 ? 0 : s + 1; n < s + 2; n++)/
