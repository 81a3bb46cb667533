import type { JsonObject } from "@capstan/schema";
import { textUrl } from "./data-url.ts";
import type { At, ObjectShape, Shape } from "./shape.ts";

const noFiles: Shape = { refused: "local files are not available here; use inline or source" };

const sourceOf = ({ inline, ...members }: JsonObject, at: At): JsonObject => {
  if (inline === undefined) return members;
  if (members["source"] !== undefined) at.problem("inline and source are mutually exclusive");
  // Said, so that nothing is unpacked that another config has packed.
  return { compression: "", ...members, source: textUrl(String(inline)) };
};

/** Contents of a file and the like, where they stand in the config or can be fetched from. */
export const resource: ObjectShape = {
  fields: {
    source: "text",
    inline: "text",
    local: noFiles,
    compression: "text",
    http_headers: { list: { fields: { name: "text", value: "text" }, required: ["name"] } },
    verification: { fields: { hash: "text" } },
  },
  finish: sourceOf,
};

export const owner = {
  user: { fields: { id: "integer", name: "text" } },
  group: { fields: { id: "integer", name: "text" } },
} as const;

const headers = ["Install"];

/** A unit that is enabled without saying what wants it is never started. */
const checkInstall = ({ contents, dropins, enabled, ...members }: JsonObject, at: At): JsonObject => {
  const texts = [contents, ...(Array.isArray(dropins) ? dropins.map((dropin: JsonObject) => dropin["contents"]) : [])];
  const isSaid = texts.some((text) => headers.some((name) => String(text ?? "").includes(`[${name}]`)));
  if (enabled === true && contents !== undefined && !isSaid) {
    at.warning("the unit is enabled but has no [Install] section, so it will not start", "enabled");
  }
  return {
    ...members,
    ...(enabled !== undefined && { enabled }),
    ...(contents !== undefined && { contents }),
    ...(dropins !== undefined && { dropins }),
  };
};

const dropins: Shape = {
  list: { fields: { name: "text", contents: "text", contents_local: noFiles }, required: ["name"] },
};

/** Units of systemd; further fields by the kind of config. */
export const units = (more: ObjectShape["fields"] = {}): Shape => ({
  list: {
    fields: {
      name: "text",
      enabled: "flag",
      mask: "flag",
      contents: "text",
      contents_local: noFiles,
      dropins,
      ...more,
    },
    required: ["name"],
    finish: checkInstall,
  },
});

/** Users and groups. */
export const passwd: ObjectShape = {
  fields: {
    users: {
      list: {
        fields: {
          name: "text",
          password_hash: "text",
          ssh_authorized_keys: { list: "text" },
          ssh_authorized_keys_local: noFiles,
          uid: "integer",
          gecos: "text",
          home_dir: "text",
          no_create_home: "flag",
          primary_group: "text",
          groups: { list: "text" },
          no_user_group: "flag",
          no_log_init: "flag",
          shell: "text",
          should_exist: "flag",
          system: "flag",
        },
        required: ["name"],
      },
    },
    groups: {
      list: {
        fields: { name: "text", gid: "integer", password_hash: "text", should_exist: "flag", system: "flag" },
        required: ["name"],
      },
    },
  },
};

/** Arrays of disks, which are written alike in both languages. */
export const raid: Shape = {
  list: {
    fields: { name: "text", level: "text", devices: { list: "text" }, spares: "integer", options: { list: "text" } },
    required: ["name", "level", "devices"],
  },
};
