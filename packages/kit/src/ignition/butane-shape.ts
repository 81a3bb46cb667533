import { owner, passwd, raid, resource, units } from "./resource-shape.ts";
import type { Field, ObjectShape, Shape } from "./shape.ts";

const node: Readonly<Record<string, Field>> = { path: "text", overwrite: "flag", ...owner };

const disks: Shape = {
  list: {
    fields: {
      device: "text",
      wipe_table: "flag",
      partitions: {
        list: {
          fields: {
            label: "text",
            number: "integer",
            size_mib: "integer",
            start_mib: "integer",
            type_guid: "text",
            guid: "text",
            wipe_partition_entry: "flag",
            should_exist: "flag",
            resize: "flag",
          },
        },
      },
    },
    required: ["device"],
  },
};

const luks: Shape = {
  list: {
    fields: {
      name: "text",
      device: "text",
      key_file: resource,
      label: "text",
      uuid: "text",
      options: { list: "text" },
      wipe_volume: "flag",
      clevis: {
        fields: {
          tang: { list: { fields: { url: "text", thumbprint: "text" } } },
          tpm2: "flag",
          threshold: "integer",
          custom: { fields: { pin: "text", config: "text", needs_network: "flag" } },
        },
      },
    },
    required: ["name", "device"],
  },
};

const filesystems: Shape = {
  list: {
    fields: {
      device: "text",
      format: "text",
      path: "text",
      wipe_filesystem: "flag",
      label: "text",
      uuid: "text",
      options: { list: "text" },
      mount_options: { list: "text" },
      with_mount_unit: "flag",
    },
    required: ["device"],
  },
};

const storage: ObjectShape = {
  fields: {
    disks,
    raid,
    filesystems,
    files: {
      list: {
        fields: { ...node, contents: resource, append: { list: resource }, mode: "mode" },
        required: ["path"],
      },
    },
    directories: { list: { fields: { ...node, mode: "mode" }, required: ["path"] } },
    links: { list: { fields: { ...node, target: "text", hard: "flag" }, required: ["path"] } },
    luks,
    trees: { refused: "local files are not available here; list the files" },
  },
};

const ignition: ObjectShape = {
  fields: {
    config: { fields: { merge: { list: resource }, replace: resource } },
    timeouts: { fields: { http_response_headers: "integer", http_total: "integer" } },
    security: { fields: { tls: { fields: { certificate_authorities: { list: resource } } } } },
    proxy: { fields: { http_proxy: "text", https_proxy: "text", no_proxy: { list: "text" } } },
  },
};

const notTaken = (instead: string): Shape => ({ refused: `is not supported; ${instead}` });

/** Butane but for its header, with the fields of Ignition 3.3. */
export const butaneShape: ObjectShape = {
  fields: {
    ignition,
    storage,
    systemd: { fields: { units: units() } },
    passwd,
    kernel_arguments: { fields: { should_exist: { list: "text" }, should_not_exist: { list: "text" } } },
    boot_device: notTaken("write the disks, RAID and LUKS devices of the boot device themselves"),
    grub: notTaken("write the file of GRUB's users itself"),
  },
};
