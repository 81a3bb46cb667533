import type { Clock } from "@capstan/contract";
import { type Served, type Service, type SimulatedState, simulation } from "@capstan/simulation";
import { type BlobIdentity, blobService, type StorageAccount } from "@capstan/simulation/blob";
import { seededRandom } from "@capstan/testing";

interface Accounts extends SimulatedState {
  accounts: StorageAccount[];
}

export const accountKey = Buffer.from("the first key of the simulated account").toString("base64");

/** A simulated storage account `acme1` with the container `data`. */
export interface SimulatedBlob extends AsyncDisposable {
  readonly served: Served;
  readonly account: StorageAccount;
  /** PEM, where it is served by TLS. */
  readonly ca: string | undefined;
}

/** Access tokens, without which no TLS is needed, and where they come from. */
export interface Tokens {
  readonly login: Service;
  readonly identityOf: (token: string) => BlobIdentity | undefined;
}

/** Starts it. */
export const simulatedBlob = async (clock: Clock, tokens?: Tokens): Promise<SimulatedBlob> => {
  const empty: StorageAccount = { name: "acme1", keys: [accountKey], containers: { data: [] } };
  const state = { version: 1, empty: () => ({ accounts: [empty] }) };
  const cloud = await simulation<Accounts>({ name: "blob", state }, { clock, random: seededRandom(process.pid) });
  const server = cloud.server(tokens === undefined ? {} : { tls: true, hostname: "localhost" });
  if (tokens !== undefined) server.serve("login", tokens.login);
  const options = { accounts: () => cloud.state.accounts, cloud };
  const service = blobService({ ...options, ...(tokens !== undefined && { identityOf: tokens.identityOf }) });
  const served = server.serve("blob", service);
  await cloud.start();
  return {
    served,
    account: cloud.state.accounts[0]!,
    ca: cloud.certificateAuthority,
    [Symbol.asyncDispose]: () => cloud.stop(),
  };
};
