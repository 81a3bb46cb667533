import { yamlText } from "@capstan/kit/bootstrap";

/** Values in the default template. */
export interface TemplateFacts {
  readonly name: string;
  readonly imageUrl: string;
  readonly disk: string;
  /** Where the installed system finds its metadata. */
  readonly metadataUrl: string;
}

const actions = "quay.io/tinkerbell/actions";

/** The first partition of a disk. */
const firstPartition = (disk: string): string => (/(nvme\d+n\d+|mmcblk\d+)$/.test(disk) ? `${disk}p1` : `${disk}1`);

const cloudInitConfig = (metadataUrl: string): string =>
  yamlText(
    {
      datasource: { Ec2: { metadata_urls: [metadataUrl], strict_id: false } },
      system_info: {
        default_user: {
          name: "tink",
          groups: ["wheel", "adm"],
          sudo: ["ALL=(ALL) NOPASSWD:ALL"],
          shell: "/bin/bash",
        },
      },
      manage_etc_hosts: "localhost",
      warnings: { dsid_missing_source: "off" },
    },
    { sortKeys: false },
  );

const fileAction = (name: string, partition: string, file: { readonly path: string; readonly contents: string }) => ({
  name,
  image: `${actions}/writefile`,
  timeout: 90,
  environment: {
    DEST_DISK: partition,
    FS_TYPE: "ext4",
    DEST_PATH: file.path,
    UID: "0",
    GID: "0",
    MODE: "0600",
    DIRMODE: "0700",
    CONTENTS: file.contents,
  },
});

/**
 * Returns the template for machines without one of their own: the agent writes the image to the disk, configures its cloud-init with the
 * address of the metadata, and starts it. `{{.device_1}}` is the agent, which the Workflow knows.
 */
export const defaultTemplate = ({ disk, imageUrl, metadataUrl, name }: TemplateFacts): string => {
  const partition = firstPartition(disk);
  const task = {
    name,
    worker: "{{.device_1}}",
    volumes: ["/dev:/dev", "/dev/console:/dev/console", "/lib/firmware:/lib/firmware:ro"],
    actions: [
      {
        name: "stream image",
        image: `${actions}/oci2disk`,
        timeout: 600,
        environment: { IMG_URL: imageUrl, DEST_DISK: disk, COMPRESSED: "true" },
      },
      fileAction("add tink cloud-init config", partition, {
        path: "/etc/cloud/cloud.cfg.d/10_tinkerbell.cfg",
        contents: cloudInitConfig(metadataUrl),
      }),
      fileAction("add tink cloud-init ds-config", partition, {
        path: "/etc/cloud/ds-identify.cfg",
        contents: "datasource: Ec2\n",
      }),
      {
        // It waits in the background, so that the agent can report before the new system takes over.
        name: "kexec image",
        image: "ghcr.io/jacobweinstock/waitdaemon:latest",
        timeout: 90,
        pid: "host",
        environment: { BLOCK_DEVICE: partition, FS_TYPE: "ext4", IMAGE: `${actions}/kexec`, WAIT_SECONDS: "5" },
        volumes: ["/var/run/docker.sock:/var/run/docker.sock"],
      },
    ],
  };
  return yamlText({ version: "0.1", name, global_timeout: 6000, tasks: [task] }, { sortKeys: false });
};
