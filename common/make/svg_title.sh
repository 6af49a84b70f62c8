#!/bin/sh
# svg_title.sh FIGURE.gp <FIGURE.svg: the picture with the figure's title as its own, for the tooltip, the tab and
# screen readers; gnuplot writes its name.
title=$(sed -n "/^TITLE = '\(.*\)'\$/{s//\1/;s/''/'/g;s/&/\&amp;/g;s/</\&lt;/g;s/>/\&gt;/g;s/[\\&|]/\\\\&/g;p;}" "$1")
sed -e "s|<title>Gnuplot</title>|<title>$title</title>|" -e 's|<title>gnuplot_plot_[0-9a-z]*</title>||'
