#!/bin/bash
set -e
mkdir -p /opt/pkg/bin; printf '#!/bin/sh\necho packed\n' > /opt/pkg/bin/tool; chmod 755 /opt/pkg/bin/tool
tar -C /opt/pkg -czf /opt/pkg.tgz .
tar -tzf /opt/pkg.tgz | sort
mkdir /opt/out; tar -xzf /opt/pkg.tgz -C /opt/out; /opt/out/bin/tool
tar xzf /opt/pkg.tgz -C /opt/out --strip-components=2 ./bin/tool; /opt/out/tool
gzip -c /opt/pkg/bin/tool | gunzip | head -1
gzip -k /opt/pkg/bin/tool && zcat /opt/pkg/bin/tool.gz | wc -l
rm /opt/*.tgz /opt/pkg/bin/tool.gz
tar -xf /opt/none.tar; echo never
