#!/bin/bash
a="two  words"; b='$a'; c=$'tab\there'
echo $a "$a" $b "$c" \$a "\$a" '\n' "a'b" 'c"d'
echo "nested $(echo "inner $(echo "deep")")"
echo `echo back\`echo tick\``
echo "a"'b'c
echo "line \
continued" and \
more
touch "/opt/with space" '/opt/star*'; ls /opt
for f in /opt/*; do echo "<$f>"; done
echo /opt/no*match "/opt/*"
echo ~ ~root "~" ; echo ~/x
eval "d='evaluated'; echo \$d"
echo "tab	end" | cat -A
