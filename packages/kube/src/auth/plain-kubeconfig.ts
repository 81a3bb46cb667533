import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CapstanError, Secret } from "@capstan/contract";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { readYamlValue } from "@capstan/kube-values/yaml";
import type { Access, Credentials, TlsMaterial } from "../access.ts";
import type { KubeconfigSource } from "./kubeconfig-source.ts";
import { withTokenFile } from "./token-file.ts";

interface Named {
  readonly name?: string;
}

type ClusterFields = Readonly<
  Partial<
    Record<
      "server" | "proxy-url" | "tls-server-name" | "certificate-authority" | "certificate-authority-data",
      string | null
    >
  >
> & { readonly "insecure-skip-tls-verify"?: boolean };

/** Fields of a user that this reader supports; it refuses a user with any other field. */
const plainUserFields = [
  "token",
  "tokenFile",
  "username",
  "password",
  "client-certificate",
  "client-certificate-data",
  "client-key",
  "client-key-data",
] as const;

type UserFields = Readonly<Partial<Record<(typeof plainUserFields)[number], string | null>>>;

interface ContextFields {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string | null;
}

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly clusters?: readonly (Named & { readonly cluster?: ClusterFields })[];
  readonly users?: readonly (Named & { readonly user?: UserFields })[];
  readonly contexts?: readonly (Named & { readonly context?: ContextFields })[];
}

interface Chosen {
  readonly cluster: ClusterFields & { readonly server: string };
  readonly user: UserFields;
  readonly userName: string;
  readonly namespace: string | undefined;
}

const documentOf = (source: KubeconfigSource): Kubeconfig | undefined => {
  if ("from" in source) return undefined;
  try {
    return readYamlValue("text" in source ? source.text : readFileSync(source.file, "utf8")) as Kubeconfig;
  } catch {
    // Who reads it next says what is wrong.
    return undefined;
  }
};

const named = <T extends Named>(list: readonly T[] | undefined, name: string | undefined): T | undefined =>
  Array.isArray(list) ? list.find((entry) => (entry as T | null)?.name === name) : undefined;

const isPlain = (user: object): boolean =>
  Object.entries(user).every(
    ([field, value]) =>
      (plainUserFields as readonly string[]).includes(field) && (value === null || typeof value === "string"),
  );

const chosenIn = (document: Kubeconfig | undefined, contextName: string | undefined): Chosen | undefined => {
  const context = named(document?.contexts, contextName ?? document?.["current-context"])?.context;
  const cluster = named(document?.clusters, context?.cluster)?.cluster;
  const entry = named(document?.users, context?.user);
  const user = entry?.user ?? {};
  const isKnown = entry !== undefined || given(context?.user) === undefined;
  if (typeof cluster?.server !== "string" || !isKnown || !isPlain(user)) return undefined;
  return {
    cluster: { ...cluster, server: cluster.server },
    user,
    userName: context?.user ?? "",
    namespace: given(context?.namespace),
  };
};

/** A file's text, or what stands in the document itself, which wins. */
const material = async (
  data: string | null | undefined,
  file: string | null | undefined,
  folder: string,
): Promise<string | undefined> => {
  if (given(data) !== undefined) return fromBase64(data as string);
  return given(file) === undefined ? undefined : readFile(resolve(folder, file as string), "utf8");
};

const given = (value: string | null | undefined): string | undefined =>
  value === null || value === "" ? undefined : value;

const tlsOf = async ({ cluster, user }: Chosen, folder: string): Promise<TlsMaterial> => {
  const serverName = given(cluster["tls-server-name"]);
  const [ca, clientCertificate, clientKey] = await Promise.all([
    material(cluster["certificate-authority-data"], cluster["certificate-authority"], folder),
    material(user["client-certificate-data"], user["client-certificate"], folder),
    material(user["client-key-data"], user["client-key"], folder),
  ]);
  return {
    ...(ca !== undefined && { ca }),
    ...(clientCertificate !== undefined && { clientCertificate }),
    ...(clientKey !== undefined && { clientKey: new Secret(clientKey) }),
    ...(serverName !== undefined && { serverName }),
    ...(cluster["insecure-skip-tls-verify"] === true && { skipVerify: true }),
  };
};

const authorizationOf = ({ user }: Chosen): string | undefined => {
  const token = given(user.token);
  if (token !== undefined) return `Bearer ${token}`;
  const name = given(user.username);
  return name === undefined ? undefined : `Basic ${toBase64(`${name}:${user.password ?? ""}`)}`;
};

const credentialsOf = async (chosen: Chosen, folder: string): Promise<Credentials> => {
  const authorization = authorizationOf(chosen);
  try {
    const tls = await tlsOf(chosen, folder);
    return { tls, ...(authorization !== undefined && { authorization: new Secret(authorization) }) };
  } catch (cause) {
    throw new CapstanError({
      code: "kube.unauthorized",
      reason: "CredentialsUnavailable",
      message: `user "${chosen.userName}" of the kubeconfig: cannot obtain credentials`,
      cause,
    });
  }
};

/**
 * Access by a kubeconfig whose credentials are tokens, passwords, certificates and files; files are read again for every request, a
 * token file when the server refuses its token. `undefined` for every other, also for one with a mistake in it.
 */
export const plainAccess = (source: KubeconfigSource): Access | undefined => {
  const chosen = chosenIn(documentOf(source), source.context);
  if (chosen === undefined) return undefined;
  const { cluster, user, namespace } = chosen;
  const folder = "file" in source ? dirname(source.file) : ".";
  const tokenFile = given(user.token) === undefined ? given(user.tokenFile) : undefined;
  const proxyUrl = given(cluster["proxy-url"]);
  const credentials = (): Promise<Credentials> => credentialsOf(chosen, folder);
  return {
    url: cluster.server,
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(namespace !== undefined && { namespace }),
    credentials: tokenFile === undefined ? credentials : withTokenFile(credentials, resolve(folder, tokenFile)),
  };
};
