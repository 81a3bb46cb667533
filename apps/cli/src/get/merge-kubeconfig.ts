import { CapstanError } from "@capstan/contract";
import { parse, stringify } from "yaml";

type Fields = Readonly<Record<string, unknown>>;

interface Named extends Fields {
  readonly name: string;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const invalid = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "get.kubeconfig_invalid",
    reason: "KubeconfigInvalid",
    message,
    retry: { kind: "never" },
    cause,
  });

const readConfig = (text: string, said: string): Fields => {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw invalid(
      `${said} is not valid YAML: ${(error as Error).message.split("\n", 1)[0]}; correct it, or name another file`,
      error,
    );
  }
  if (value === null || value === undefined) return {};
  if (isFields(value)) return value;
  throw invalid(`${said} is not a kubeconfig; name another file`);
};

/**
 * Refuses settings that make kubectl run a program: anyone who may write the Secret of a cluster could run it on this
 * computer.
 */
const refusePrograms = (config: Fields): void => {
  const runs = entries(config, "users").some(
    ({ user }) => isFields(user) && ("exec" in user || "auth-provider" in user),
  );
  if (!runs) return;
  throw invalid(
    "the kubeconfig of the cluster runs a credential plugin; print it without --merge, and merge it yourself if you trust it",
  );
};

const entries = (config: Fields, part: string): readonly Named[] => {
  const list = config[part];
  return Array.isArray(list)
    ? list.filter((entry): entry is Named => isFields(entry) && typeof entry["name"] === "string")
    : [];
};

const together = (present: readonly Named[], added: readonly Named[]): readonly Named[] => {
  const names = new Set(added.map(({ name }) => name));
  return [...present.filter(({ name }) => !names.has(name)), ...added];
};

/** Renames an entry, including the names that a context refers to. */
const renamed = (entry: Named, prefix: string): Named => {
  const context = entry["context"];
  const references = isFields(context)
    ? {
        context: {
          ...context,
          cluster: `${prefix}${String(context["cluster"])}`,
          user: `${prefix}${String(context["user"])}`,
        },
      }
    : {};
  return { ...entry, ...references, name: `${prefix}${entry.name}` };
};

/**
 * Adds the entries of a kubeconfig to another and makes its context the current one. `prefix` comes before its names; entries of the same
 * names are replaced, all others stay. Throws `get.kubeconfig_invalid`.
 */
export const mergeKubeconfig = (
  present: string,
  added: string,
  { prefix, said }: { readonly prefix: string; readonly said: string },
): { readonly text: string; readonly context: string } => {
  const base = readConfig(present, said);
  const addition = readConfig(added, "the kubeconfig of the cluster");
  refusePrograms(addition);
  const part = (name: string): readonly Named[] =>
    together(
      entries(base, name),
      entries(addition, name).map((entry) => renamed(entry, prefix)),
    );
  const context = `${prefix}${String(addition["current-context"] ?? "")}`;
  const merged = {
    apiVersion: "v1",
    kind: "Config",
    ...base,
    clusters: part("clusters"),
    users: part("users"),
    contexts: part("contexts"),
    "current-context": context,
  };
  return { text: stringify(merged, { lineWidth: 0 }), context };
};
