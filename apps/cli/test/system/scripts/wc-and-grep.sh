#!/bin/bash
printf 'alpha one\nbeta two\ngamma\n' > /opt/w
wc /opt/w
wc -l < /opt/w
wc -lw /opt/w
grep -c a /opt/w; grep -n beta /opt/w; grep -o 't[a-z]*' /opt/w; grep -A1 alpha /opt/w; grep -w one /opt/w
grep -iE '^(ALPHA|GAMMA)' /opt/w; grep -L alpha /opt/w /etc/hostname | wc -l; grep -q none /opt/w || echo absent
grep -F 'a.' /opt/w; echo "status $?"
grep x /opt/none; echo "status $?"
grep -oP '(?<=beta )\w+' /opt/w
grep -rl gamma /opt
printf 'a\n--\nb\n' | grep -e -- ; grep -m1 a /opt/w; grep -v -e alpha -e beta /opt/w
grep -h -c o /opt/w /opt/w
