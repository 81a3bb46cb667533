import { type AddressGuard, Secret, type Clock, type Random } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { secretBytes, secretText } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import type { Bmc } from "./bmc.ts";
import { connectionCauses, type BmcConnection } from "./connection-causes.ts";
import { invalidConnection, refusedCredentials } from "./errors.ts";
import { jsonExchange } from "./json-exchange.ts";
import { redfishBmc } from "./redfish-bmc.ts";
import { redfishPort } from "./redfish-port.ts";
import { rpcBmc, type RpcOptions } from "./rpc-bmc.ts";

/** Settings of connections to board management. */
export interface BmcWay {
  /** PEM certificates to trust beside the public ones. */
  readonly ca: readonly string[];
  /** Default: hosts may be anywhere. */
  readonly guard?: AddressGuard | undefined;
}

/** Connection settings and dependencies for opening board management. */
export interface BmcAccess extends BmcWay {
  readonly client: Pick<Client, "find">;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

interface SecretRef {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Opens the board management of a connection; nothing is sent yet. `owner` is in messages, for example `Machine lab/bmc-1`. */
export const openBmc = async (connection: BmcConnection, owner: string, access: BmcAccess): Promise<Bmc> => {
  const [problem] = connectionCauses(connection, "spec.connection");
  if (problem !== undefined) throw invalidConnection(`${owner}: ${problem.field}: ${problem.message}`);
  const place = `${owner}, spec.connection`;
  const { clock, random } = access;
  const exchange = () => jsonExchange({ ...access, insecureTls: connection.insecureTLS });
  const { rpc, redfish } = connection.providerOptions ?? {};
  if (rpc !== undefined) {
    const secrets = await rpcSecrets(rpc, place, access);
    return rpcBmc({ host: connection.host, rpc, secrets, place, clock, random, exchange: exchange() });
  }
  if (connection.authSecretRef === undefined) {
    throw invalidConnection(`${place}.authSecretRef: it is missing; name a Secret with the keys username and password`);
  }
  const data = await secretData(connection.authSecretRef, `${place}.authSecretRef`, access);
  const host = connection.host.includes(":") ? `[${connection.host}]` : connection.host;
  return redfishBmc({
    url: `https://${host}:${redfishPort(connection)}`,
    username: data("username"),
    password: data("password"),
    useBasicAuth: redfish?.useBasicAuth ?? false,
    systemName: redfish?.systemName,
    place,
    exchange: exchange(),
    clock,
    signal: access.signal,
  });
};

const rpcSecrets = async (
  { hmac }: RpcOptions["rpc"],
  place: string,
  access: BmcAccess,
): Promise<RpcOptions["secrets"]> => {
  const all: Partial<Record<"sha256" | "sha512", readonly Secret<string>[]>> = {};
  for (const [algorithm, refs] of Object.entries(hmac?.secrets ?? {})) {
    const field = `${place}.providerOptions.rpc.hmac.secrets.${algorithm}`;
    if (algorithm !== "sha256" && algorithm !== "sha512") {
      throw invalidConnection(`${field}: the algorithms are sha256 and sha512`);
    }
    all[algorithm] = await Promise.all(refs.map(async (ref) => (await secretData(ref, field, access))("secret")));
  }
  return all;
};

const secretData = async (
  { name = "", namespace = "" }: SecretRef,
  field: string,
  { client, signal }: BmcAccess,
): Promise<(key: string) => Secret<string>> => {
  const secret = await client.find(SecretResource, { namespace, name }, { signal });
  if (secret === undefined) {
    throw refusedCredentials(`${field}: there is no Secret ${namespace}/${name}; make it, or correct the reference`);
  }
  const data = secretText(secretBytes(secret));
  return (key) => {
    const value = (data[key] ?? "").trim();
    if (value !== "") return new Secret(value);
    throw refusedCredentials(`${field}: the Secret ${namespace}/${name} has no key ${key}; add it`);
  };
};
