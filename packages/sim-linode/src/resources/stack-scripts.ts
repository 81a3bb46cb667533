import type { StackScript } from "@capstan/linode-client";
import { boolean, type Fields, invalid, list, object, type Route, text } from "@capstan/simulation";
import { freely, resource } from "../api/resource.ts";
import { stackScript } from "@capstan/infra-linode/stack-script";
import type { Mutable, SimulatorState, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { apiTime } from "../times.ts";

const fields = {
  label: text({ min: 3, max: 128 }),
  description: text(),
  images: list(text()),
  is_public: boolean,
  rev_note: text(),
  script: text({ max: 65_535 }),
} satisfies Fields;

export const stackScriptRoutes: readonly Route<World>[] = resource({
  path: "linode/stackscripts",
  filterable: ["id", "deployments_total", "description", "is_public", "label", "mine", "rev_note", "username"],
  items: (_request, { state }) => state.stackScripts,
  event: "stackscript",
  create: {
    body: object(fields, ["label", "images", "script"]),
    make: (body, world) => newScript(body, world),
  },
  update: {
    body: object(fields),
    change: (script, body) => {
      checkScript(body.script ?? script.script);
      Object.assign(script, body, { user_defined_fields: fieldsOf(body.script ?? script.script) });
    },
  },
  remove: freely,
});

const checkScript = (script: string): void => {
  if (!script.startsWith("#!")) throw invalid('Script must begin with a shebang (example: "#!/bin/bash")', "script");
};

/**
 * Parses the fields that a script asks for in comments such as `<UDF name="host" label="Name of the host"
 * default="web"/>`.
 */
const fieldsOf = (script: string): NonNullable<StackScript["user_defined_fields"]> =>
  [...script.matchAll(/<UDF\s+([^>]*?)\/?>/gi)].map(([, attributes = ""]) => {
    const given = Object.fromEntries(
      [...attributes.matchAll(/(?<!\w)(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!.toLowerCase(), value!]),
    );
    const { name = "", label = "", default: usual, example, oneof, manyof } = given;
    return {
      name,
      label,
      ...(usual === undefined ? {} : { default: usual }),
      ...(example === undefined ? {} : { example }),
      ...(oneof === undefined ? {} : { oneOf: oneof }),
      ...(manyof === undefined ? {} : { manyOf: manyof }),
    };
  });

const newScript = (
  wanted: Pick<StackScript, "label" | "images" | "script"> & Partial<StackScript>,
  world: World,
): Mutable<StackScript> => {
  checkScript(wanted.script);
  const created = apiTime(world.clock.now());
  return {
    description: "",
    is_public: false,
    rev_note: "",
    ...wanted,
    id: world.newId(),
    mine: true,
    username: "simulator",
    user_gravatar_id: "0".repeat(32),
    deployments_active: 0,
    deployments_total: 0,
    logo_url: "",
    ordinal: 0,
    user_defined_fields: fieldsOf(wanted.script),
    created,
    updated: created,
  };
};

/** Maximum length of the data of one deployment, as JSON. */
const maxDataLength = 65_535;

/** Refuses what a deployment with a StackScript cannot have. */
export const checkDeployment = (
  {
    id,
    data = {},
    image,
  }: { readonly id: number; readonly data?: Readonly<Record<string, string>>; readonly image: string },
  state: SimulatorState,
): void => {
  const script = state.stackScripts.find((candidate) => candidate.id === id);
  if (script === undefined) throw invalid("A StackScript by that ID was not found", "stackscript_id");
  if (!script.images.includes("any/all") && !script.images.includes(image)) {
    throw invalid("The StackScript does not support this image", "image");
  }
  if (JSON.stringify(data).length > maxDataLength) {
    throw invalid(`stackscript_data must be at most ${maxDataLength} characters`, "stackscript_data");
  }
  for (const field of script.user_defined_fields ?? []) {
    if (field.default === undefined && data[field.name] === undefined) {
      throw invalid(`${field.name} is required.`, `stackscript_data.${field.name}`);
    }
  }
};

/** The script of a deployment, as it is then, and the values of its fields. */
export const deployedScript = (
  {
    stackscript_id: id,
    stackscript_data: data = {},
  }: { readonly stackscript_id?: number; readonly stackscript_data?: Readonly<Record<string, string>> },
  { stackScripts }: SimulatorState,
): StoredInstance["stackScript"] => {
  const script = stackScripts.find((candidate) => candidate.id === id);
  return script === undefined
    ? undefined
    : { id: script.id, label: script.label, data, isPlayed: script.script === stackScript };
};

/**
 * Returns the data that a guest is booted with. Of StackScripts only the provider's is simulated, which hands its field
 * `userdata` to cloud-init; for any other, the console says that it was not run.
 */
export const bootData = ({
  stackScript: script,
  userData,
}: Pick<StoredInstance, "stackScript" | "userData">): {
  readonly userData: string;
  readonly notes: readonly string[];
} => {
  if (script === undefined) return { userData, notes: [] };
  if (script.isPlayed) return { userData: script.data["userdata"] ?? "", notes: [] };
  const note = `StackScript ${script.id} (${script.label}) was not run: the simulator plays no StackScripts but Capstan's own; give the machine metadata.user_data instead`;
  return { userData, notes: [note] };
};
