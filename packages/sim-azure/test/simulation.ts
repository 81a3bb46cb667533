import { Agent, request } from "undici";
import { fakeClock, seededRandom } from "@capstan/testing";
import type { FakeClock } from "@capstan/testing";
import { type AzureSimulator, type AzureSimulatorOptions, createAzureSimulator } from "../src/index.ts";

/** What was answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of many shapes, looked into field by field
type Body = any;

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: that of the owner. */
  readonly token?: string;
}

/** A started simulator on a fake clock, and a client that signs in by itself, adds the api-version and never retries. */
export interface SimulatedAzure extends AsyncDisposable {
  readonly simulator: AzureSimulator;
  readonly clock: FakeClock;
  /** Calls an address, or a path below `/subscriptions/<id>` where it begins without a slash. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** As `call`; then time passes until the operation that the answer names is over, and what it ended with is returned. */
  settle(method: string, path: string, options?: CallOptions): Promise<Answer>;
  signIn(form: Readonly<Record<string, string>>): Promise<Answer>;
}

export const simulate = async (
  options: Partial<Omit<AzureSimulatorOptions, "clock">> & { readonly clock?: FakeClock } = {},
): Promise<SimulatedAzure> => {
  const clock = options.clock ?? fakeClock();
  const simulator = await createAzureSimulator({ random: seededRandom(process.pid), ...options, clock });
  await simulator.start();
  return clientOf(simulator, clock);
};

/** A client of a simulator that has started, which it stops in the end. */
export const clientOf = <C extends Pick<FakeClock, "now" | "advance">>(
  simulator: AzureSimulator,
  clock: C,
): Omit<SimulatedAzure, "clock"> & { readonly clock: C } => {
  const dispatcher = new Agent({ connect: { ca: simulator.ca } });
  const send = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> => {
    const answer = await request(url, {
      method: method as "GET",
      headers,
      dispatcher,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers["content-type"] ?? "").includes("json");
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  };
  const signIn: SimulatedAzure["signIn"] = (form) =>
    send(
      "POST",
      `${simulator.url}/${simulator.tenantId}/oauth2/v2.0/token`,
      { "content-type": "application/x-www-form-urlencoded" },
      new URLSearchParams(form).toString(),
    );
  const [owner] = simulator.principals;
  let granted = { token: "", until: 0 };
  /** The owner's, renewed in time. */
  const ownToken = async (): Promise<string> => {
    if (granted.until <= clock.now()) {
      const { body } = await signIn(signInForm(simulator, owner?.clientId, owner?.clientSecret));
      granted = { token: body.access_token as string, until: clock.now() + 50 * 60_000 };
    }
    return granted.token;
  };
  const call: SimulatedAzure["call"] = async (method, path, { body, headers = {}, token } = {}) => {
    const absolute = path.startsWith("https:")
      ? path
      : `${simulator.url}${path.startsWith("/") ? path : `/subscriptions/${simulator.subscriptionId}/${path}`}`;
    const versioned = /api-version=|\/v2\.0\/|\/_simulator\//.test(absolute)
      ? absolute
      : `${absolute}${absolute.includes("?") ? "&" : "?"}api-version=2024-07-01`;
    return send(
      method,
      versioned,
      {
        authorization: `Bearer ${token ?? (await ownToken())}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body === undefined ? undefined : JSON.stringify(body),
    );
  };
  return {
    simulator,
    clock,
    call,
    signIn,
    settle: async (method, path, callOptions) => settled(await call(method, path, callOptions), call, clock),
    [Symbol.asyncDispose]: async () => {
      await dispatcher.close();
      await simulator.stop();
    },
  };
};

export const signInForm = (
  { url }: Pick<AzureSimulator, "url">,
  client_id = "",
  client_secret = "",
): Readonly<Record<string, string>> => ({
  grant_type: "client_credentials",
  client_id,
  client_secret,
  scope: `${url}/.default`,
});

const settled = async (
  answer: Answer,
  call: SimulatedAzure["call"],
  clock: Pick<FakeClock, "advance">,
): Promise<Answer> => {
  const status = answer.headers["azure-asyncoperation"] as string | undefined;
  const location = answer.headers["location"] as string | undefined;
  const address = status ?? location;
  if (address === undefined || answer.status >= 300) return answer;
  for (let turns = 0; turns < 100; turns += 1) {
    const now = await call("GET", address);
    const over = status === undefined ? now.status !== 202 : now.body.status !== "InProgress";
    if (over) return now;
    await clock.advance(100);
  }
  throw new Error(`${address} goes on for ever`);
};
