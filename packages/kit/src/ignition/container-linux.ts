import { type JsonObject, own } from "@capstan/schema";
import { type Translation, readConfig } from "./butane.ts";
import { textUrl } from "./data-url.ts";
import { owner, passwd, raid, units } from "./resource-shape.ts";
import { type At, atRoot, type ConfigProblem, type Field, type ObjectShape, type Shape, translated } from "./shape.ts";

const hash: Shape = {
  fields: { hash: { fields: { function: "text", sum: "text" }, required: ["function", "sum"] } },
  finish: ({ hash: of }) => {
    const { function: name, sum } = (of ?? {}) as JsonObject;
    return { hash: `${String(name)}-${String(sum)}` };
  },
};

const reference: ObjectShape = { fields: { source: "text", verification: hash }, required: ["source"] };

const contents: ObjectShape = {
  fields: {
    inline: "text",
    local: { refused: "local files are not available here; use inline or remote" },
    remote: { fields: { url: { shape: "text", name: "source" }, compression: "text", verification: hash } },
  },
  finish: ({ inline, remote }, at) => {
    if (inline !== undefined && remote !== undefined) at.problem("inline and remote are mutually exclusive");
    return inline === undefined ? ((remote ?? {}) as JsonObject) : { source: textUrl(String(inline)) };
  },
};

/** Files and the like are on the root file system unless they say another one; Ignition 2 takes no permissions for none. */
const node = (more: Readonly<Record<string, Field>>, mode?: number): Shape => ({
  list: {
    fields: { filesystem: "text", path: "text", overwrite: "flag", ...owner, ...more },
    required: ["path"],
    finish: (members) => ({ filesystem: "root", ...(mode !== undefined && { mode }), ...members }),
  },
});

const unitMebibytes: Readonly<Record<string, number>> = { KiB: 2 ** -10, MiB: 1, GiB: 2 ** 10, TiB: 2 ** 20 };

/** A size with its unit, in mebibytes. */
const mebibytes = (text: unknown, name: string, at: At): number | undefined => {
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d+)([KMGT]iB)$/.exec(String(text)) ?? [];
  const size = text === "0" ? 0 : Number(amount) * (own(unitMebibytes, unit) ?? 0);
  if (Number.isInteger(size)) return size;
  at.problem(`${JSON.stringify(text)} is not a size in whole mebibytes such as 512MiB`, name);
  return undefined;
};

const partition: Shape = {
  fields: { label: "text", number: "integer", size: "text", start: "text", type_guid: "text", guid: "text" },
  finish: ({ size, start, ...members }, at) => {
    const [sizeMiB, startMiB] = [mebibytes(size, "size", at), mebibytes(start, "start", at)];
    return { ...members, ...(sizeMiB !== undefined && { sizeMiB }), ...(startMiB !== undefined && { startMiB }) };
  },
};

const storage: ObjectShape = {
  fields: {
    disks: {
      list: {
        fields: { device: "text", wipe_table: "flag", partitions: { list: partition } },
        required: ["device"],
      },
    },
    raid,
    filesystems: {
      list: {
        fields: {
          name: "text",
          path: "text",
          mount: {
            fields: {
              device: "text",
              format: "text",
              wipe_filesystem: "flag",
              label: "text",
              uuid: "text",
              options: { list: "text" },
              create: { refused: "is deprecated; use wipe_filesystem and options" },
            },
            required: ["device", "format"],
          },
        },
      },
    },
    files: node({ contents, mode: "mode", append: "flag" }, 0o644),
    directories: node({ mode: "mode" }, 0o755),
    links: node({ target: "text", hard: "flag" }),
  },
};

const generated = (what: string): Shape => ({ refused: `is not supported; ${what}` });

/** Container Linux Config. Sections that would become scripts of their own are named, not taken. */
const shape: ObjectShape = {
  fields: {
    ignition: {
      fields: {
        config: { fields: { append: { list: reference }, replace: reference } },
        timeouts: { fields: { http_response_headers: "integer", http_total: "integer" } },
      },
    },
    storage,
    systemd: { fields: { units: units({ enable: "flag" }) } },
    networkd: { fields: { units: { list: { fields: { name: "text", contents: "text" }, required: ["name"] } } } },
    passwd,
    etcd: generated("write its unit under systemd.units"),
    flannel: generated("write its unit under systemd.units"),
    docker: generated("write a drop-in of docker.service under systemd.units"),
    update: generated("write /etc/flatcar/update.conf under storage.files"),
    locksmith: generated("write a drop-in of locksmithd.service under systemd.units"),
  },
};

/** A Container Linux Config as a config for Ignition 2.3. What is not known, or not translated here, is a problem that names its field. */
export const translateContainerLinux = (text: string): Translation => {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const value = readConfig(text, problems);
  const config = (translated(value, shape, atRoot(problems, warnings)) ?? {}) as JsonObject;
  return { config, version: "2.3.0", problems, warnings };
};
