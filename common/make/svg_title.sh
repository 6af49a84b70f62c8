#!/bin/sh
# svg_title.sh FIGURE.gp <FIGURE.svg: the picture with the figure's title as its own, for the tooltip, the tab and screen readers; gnuplot writes its name.
title=$(sed -n "s/^TITLE = '\(.*\)'\$/\1/p" "$1" | sed -e "s/''/'/g" -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/[\&|]/\\&/g')
sed -e "s|<title>Gnuplot</title>|<title>$title</title>|" -e 's|<title>gnuplot_plot_[0-9a-z]*</title>||'
