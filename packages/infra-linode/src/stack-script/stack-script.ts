import { createHash } from "node:crypto";

/**
 * Hands user data to cloud-init where there is no metadata service: as the only datasource, after which cloud-init runs as on a first boot.
 * The file comes after those of the image by its name, for the last one that lists datasources wins.
 * Base64 goes into the configuration as it came, so that no byte of the data is changed on the way.
 */
export const stackScript = `#!/usr/bin/env bash
# <UDF name="instancedata" label="label, region and type of the instance, in base64" />
# <UDF name="userdata" label="user data for cloud-init, in base64" />
set -euo pipefail
umask 077
{
  echo 'datasource_list: [None]'
  echo 'datasource:'
  echo '  None:'
  echo '    metadata:'
  echo "      id: '$LINODE_ID'"
  echo "$INSTANCEDATA" | base64 -d | sed 's/^/      /'
  echo "    userdata_raw: !!binary '$USERDATA'"
} >/etc/cloud/cloud.cfg.d/zz_capstan.cfg
cloud-init clean
cloud-init init --local
cloud-init init
cloud-init modules --mode=config
cloud-init modules --mode=final
`;

/** Another script has another name, so that instances of every version of the provider get theirs. */
export const stackScriptLabel = `capstan-${createHash("sha256").update(stackScript).digest("hex").slice(0, 12)}`;

/** Facts of an instance that cloud-init's templates can use. */
export interface InstanceData {
  readonly label: string;
  readonly region: string;
  readonly type: string;
}

const base64 = (text: Uint8Array | string): string => Buffer.from(text).toString("base64");

/** The script's data for one instance. */
export const stackScriptData = ({ label, region, type }: InstanceData, userData: Uint8Array) => ({
  instancedata: base64(`label: '${label}'\nregion: '${region}'\ntype: '${type}'\n`),
  userdata: base64(userData),
});
