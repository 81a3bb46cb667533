#!/bin/bash
set -e
cat > /opt/fstab <<'EOF'
/dev/sda / ext4 errors=remount-ro 0 1
/swap.img	none	swap	sw	0	0
# /dev/sdc none swap sw 0 0
EOF
sed -ri '/\sswap\s/s/^#?/#/' /opt/fstab
cat /opt/fstab
grep -vE '^\s*(#|$)' /opt/fstab | awk '$3 == "ext4" {print $1, $2}'
