import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CapstanError } from "@capstan/contract";
import type { RegistryCredentials } from "@capstan/infra-metal/bundles";
import { isJsonObject } from "@capstan/schema";

const unreadable = (file: string, why: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "bundle.file_unreadable",
    reason: "FileUnreadable",
    message: `${file} ${why}; log in again with docker login, podman login or skopeo login, or name another --auth-file`,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });

/** The file that docker, podman and skopeo write; `undefined` when there is none and none was named. */
const fileOf = (named: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
  const chosen = named ?? environment["REGISTRY_AUTH_FILE"];
  if (chosen !== undefined) return chosen;
  const file = join(environment["DOCKER_CONFIG"] ?? join(homedir(), ".docker"), "config.json");
  return existsSync(file) ? file : undefined;
};

const authsIn = (file: string): Readonly<Record<string, unknown>> => {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // The error of JSON.parse quotes the file.
    throw unreadable(file, "cannot be read as JSON", error instanceof SyntaxError ? undefined : error);
  }
  const auths = isJsonObject(document) ? document["auths"] : undefined;
  return isJsonObject(auths) ? auths : {};
};

/** Names under which the credentials of a registry may stand. */
const namesOf = (registry: string): readonly string[] =>
  registry === "registry-1.docker.io"
    ? ["https://index.docker.io/v1/", "index.docker.io", "docker.io"]
    : [registry, `https://${registry}`, `http://${registry}`];

/** The credentials that another program stored for a registry; `undefined` when there are none. Throws `bundle.file_unreadable`. */
export const storedCredentials = (
  registry: string,
  { environment, file }: { readonly environment: NodeJS.ProcessEnv; readonly file: string | undefined },
): RegistryCredentials | undefined => {
  const path = fileOf(file, environment);
  if (path === undefined) return undefined;
  const auths = authsIn(path);
  const entry = namesOf(registry)
    .map((name) => auths[name])
    .find(isJsonObject);
  const auth = entry?.["auth"];
  if (typeof auth !== "string") return undefined;
  const [, username, password] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(auth, "base64").toString("utf8")) ?? [];
  if (username !== undefined && password !== undefined) return { username, password };
  throw unreadable(path, `has no user and password for ${registry}`);
};
