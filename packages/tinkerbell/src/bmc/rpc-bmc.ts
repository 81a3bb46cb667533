import { createHmac } from "node:crypto";
import { rfc3339, type Clock, type Random, type Secret } from "@capstan/contract";
import { presentFields } from "@capstan/kube-values";
import type { BmcMachine } from "../api/bmc-machine.ts";
import type { Bmc, PowerState } from "./bmc.ts";
import { embeddedPayload } from "./embedded-payload.ts";
import { invalidConnection, refusedCredentials, refusedRequest, unreachable } from "./errors.ts";
import { goTime } from "./go-time.ts";
import type { JsonExchange } from "./json-exchange.ts";

export type RpcSpec = NonNullable<NonNullable<NonNullable<BmcMachine["spec"]>["connection"]["providerOptions"]>["rpc"]>;

export interface RpcOptions {
  /** Whose board management is meant: the host of the connection. */
  readonly host: string;
  readonly rpc: RpcSpec;
  /** By algorithm. */
  readonly secrets: Readonly<Partial<Record<"sha256" | "sha512", readonly Secret<string>[]>>>;
  /** In messages. */
  readonly place: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly exchange: JsonExchange;
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string } | null;
}

/** Board management by requests to a program of the user's own, signed with its secrets. */
export const rpcBmc = (options: RpcOptions): Bmc => {
  const call = (method: string, params?: object): Promise<unknown> => send(options, method, params);
  const powerState = async (): Promise<PowerState> => {
    const state = String(await call("getPowerState")).toLowerCase();
    if (state === "on" || state === "off" || state === "unknown") return state;
    const problem = `getPowerState answered ${JSON.stringify(state)}, which is not on, off or unknown`;
    throw refusedRequest(`${options.place}: ${problem}`);
  };
  return {
    powerState,
    setPower: async (action) => void (await call("setPowerState", { state: action })),
    setBootDevice: async (choice) => void (await call("setBootDevice", choice)),
    setMedia: async (url) => void (await call("setVirtualMedia", { mediaUrl: url, kind: "CD" })),
    close: () => options.exchange.close(),
  };
};

/** Ids of requests are only for logs. */
const maxId = 2 ** 31;

const send = async (options: RpcOptions, method: string, params: object | undefined): Promise<unknown> => {
  const { host, rpc, place, random, exchange } = options;
  const { httpMethod = "POST", httpContentType = "application/json" } = rpc.request ?? {};
  const id = Math.floor(random.next() * maxId);
  const embedded = embeddedPayload(
    { id, host, method, ...(params === undefined ? {} : { params }) },
    presentFields(rpc.experimental ?? {}),
  );
  if ("problem" in embedded) throw invalidConnection(`${place}.providerOptions.rpc.experimental.${embedded.problem}`);
  const { body } = embedded;
  const headers = { ...staticHeaders(rpc), ...timestamp(options) };
  const signed = { ...headers, ...signatures(options, body, headers), "content-type": httpContentType };
  const answer = await exchange
    .send({ method: httpMethod, url: rpc.consumerURL, headers: signed, body })
    .catch((error: Error) => {
      throw unreachable(
        `${place}: ${rpc.consumerURL} does not answer (${error.message}); check that it runs, and providerOptions.rpc.consumerURL`,
        error,
      );
    });
  if (answer.status === 401 || answer.status === 403) {
    throw refusedCredentials(
      `${place}: the signature was refused (HTTP ${answer.status}); correct the Secrets of providerOptions.rpc.hmac`,
    );
  }
  if (answer.status !== 200) throw unreachable(`${place}: ${method} was answered with HTTP ${answer.status}`);
  const { result, error } = (answer.body ?? {}) as RpcAnswer;
  if (error !== undefined && error !== null && (error.code ?? 0) !== 0) {
    throw refusedRequest(`${place}: ${method}: ${error.message ?? "failed"} (code ${error.code})`);
  }
  return result;
};

const staticHeaders = ({ request }: RpcSpec): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(request?.staticHeaders ?? {}).map(([name, values]) => [name, values.join(", ")]));

const timestampName = ({ request }: RpcSpec): string => request?.timestampHeader ?? "X-Rufio-Timestamp";

const timestampOf = ({ request }: RpcSpec, now: number): string => {
  const layout = request?.timestampFormat ?? "";
  return layout === "" ? rfc3339(now) : goTime(now, layout);
};

const timestamp = ({ rpc, clock }: RpcOptions): Readonly<Record<string, string>> => ({
  [timestampName(rpc)]: timestampOf(rpc, clock.now()),
});

/** Over the body and then the values of the headers that are signed: those of the spec, and the time. */
const signatures = (
  { rpc, secrets }: RpcOptions,
  body: string,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const {
    headerName = "X-Rufio-Signature",
    appendAlgoToHeaderDisabled = false,
    includedPayloadHeaders = [],
  } = rpc.signature ?? {};
  const names = [...new Set([...includedPayloadHeaders, timestampName(rpc)])];
  const values = names.map((name) => headers[name] ?? "").join("");
  const isPrefixed = rpc.hmac?.prefixSigDisabled !== true;
  return Object.fromEntries(
    (["sha256", "sha512"] as const).flatMap((algorithm) => {
      const own = secrets[algorithm] ?? [];
      if (own.length === 0) return [];
      const signed = own.map((secret) => {
        const hex = createHmac(algorithm, secret.reveal()).update(body).update(values).digest("hex");
        return isPrefixed ? `${algorithm}=${hex}` : hex;
      });
      const name = appendAlgoToHeaderDisabled ? headerName : `${headerName}-${algorithm.slice("sha".length)}`;
      return [[name, signed.join(",")]];
    }),
  );
};
