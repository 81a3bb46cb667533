import { CapstanError } from "@capstan/contract";
import { type Data, exactFile, type FileEntry, yamlText } from "@capstan/kit/bootstrap";
import type { RKE2ConfigSpec } from "../api.ts";

type Registries = NonNullable<RKE2ConfigSpec["privateRegistriesConfig"]>;

/** Contents of the Secrets of one registry. */
export interface RegistrySecrets {
  readonly auth?: Data;
  readonly tls?: Data;
}

const incomplete = (host: string): CapstanError =>
  new CapstanError({
    code: "distribution.reference_incomplete",
    reason: "ReferenceIncomplete",
    message: `spec.privateRegistriesConfig.configs.${host}.authSecret: the Secret has no username and password, identity-token or auth; add one of them`,
  });

const authOf = (host: string, data: Data | undefined): object => {
  if (data === undefined) return {};
  const text = (key: string): string => String(data[key] ?? "").trim();
  const [username, password, token, basic] = ["username", "password", "identity-token", "auth"].map(text);
  if (username !== "" && password !== "") return { auth: { username, password } };
  if (token !== "") return { auth: { identity_token: token } };
  if (basic !== "") return { auth: { auth: basic } };
  throw incomplete(host);
};

const tlsFiles = [
  { key: "ca.crt", name: "ca_file", mode: "0640" },
  { key: "tls.crt", name: "cert_file", mode: "0640" },
  { key: "tls.key", name: "key_file", mode: "0600" },
] as const;

/** registries.yaml of containerd, and the certificates it names: every registry has files of its own. */
export const registryFiles = (
  { configs = {}, mirrors = {} }: Registries,
  secrets: ReadonlyMap<string, RegistrySecrets>,
  directory: string,
): readonly FileEntry[] => {
  const hosts = Object.entries(configs).map(([host, { tls }]) => {
    const found = secrets.get(host);
    const present = tlsFiles.filter(({ key }) => found?.tls?.[key] !== undefined);
    const pathOf = (key: string): string => `${directory}/tls/${host.replaceAll(/[^A-Za-z0-9.-]/g, "_")}/${key}`;
    const settings = {
      ...Object.fromEntries(present.map(({ key, name }) => [name, pathOf(key)])),
      ...(tls?.insecureSkipVerify === true && { insecure_skip_verify: true }),
    };
    return {
      entry: [
        host,
        { ...authOf(host, found?.auth), ...(Object.keys(settings).length > 0 && { tls: settings }) },
      ] as const,
      files: present.map(({ key, mode }) =>
        exactFile({ path: pathOf(key), owner: "root:root", permissions: mode }, found?.tls?.[key] ?? ""),
      ),
    };
  });
  const document = { mirrors, configs: Object.fromEntries(hosts.map(({ entry }) => entry)) };
  const file = { path: `${directory}/registries.yaml`, owner: "root:root", permissions: "0640" };
  return [...hosts.flatMap(({ files }) => files), exactFile(file, yamlText(document))];
};
