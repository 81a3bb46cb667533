import type { Clock } from "@capstan/contract";
import { isJsonObject, type JsonObject } from "@capstan/schema";
import { elementalError } from "../errors.ts";
import type { HttpAnswer, Requests } from "../http/requests.ts";
import type { HostState } from "../server/host-state.ts";
import type { AgentRegistration } from "./agent-config.ts";
import type { Identity } from "./identity.ts";

const maxAnswerBytes = 16 * 2 ** 20;

/** A condition, as agents report it. */
export interface ReportedCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly severity?: "Error" | "Info" | "Warning";
  readonly reason: string;
  readonly message?: string;
}

/** Report of an agent about its host. */
export interface AgentReport {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly installed?: boolean;
  readonly bootstrapped?: boolean;
  readonly reset?: boolean;
  readonly inPlaceUpdate?: string;
  readonly phase?: string;
  readonly condition?: ReportedCondition;
  readonly components?: { readonly installed: string };
}

/** Settings of a registration for its hosts. */
export interface RegistrationAnswer {
  readonly hostLabels: Readonly<Record<string, string>>;
  readonly hostAnnotations: Readonly<Record<string, string>>;
  readonly config: JsonObject;
}

export interface ElementalClientOptions {
  readonly registration: AgentRegistration;
  readonly identity: Identity;
  readonly requests: Requests;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Call {
  readonly method?: "DELETE" | "GET" | "PATCH" | "POST";
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are answers, beside 200. */
  readonly expected?: readonly number[];
}

/** The Elemental API, as an agent uses it. Throws `elemental.unreachable`, `elemental.api_refused`. */
export class ElementalClient {
  readonly #options: ElementalClientOptions;

  constructor(options: ElementalClientOptions) {
    this.#options = options;
  }

  async registration(): Promise<RegistrationAnswer> {
    const answer = await this.#json(await this.#send("", { headers: this.#registering() }));
    const { config, hostAnnotations, hostLabels } = answer as Partial<RegistrationAnswer>;
    return { config: config ?? {}, hostAnnotations: hostAnnotations ?? {}, hostLabels: hostLabels ?? {} };
  }

  /** `conflict`: there is another host of this name. */
  async register(host: string, more: Pick<AgentReport, "annotations" | "labels">): Promise<"conflict" | "created"> {
    const { identity } = this.#options;
    const { status } = await this.#settled(
      await this.#send("/hosts", {
        method: "POST",
        body: { name: host, pubKey: identity.publicKey, ...more },
        headers: { ...this.#registering(), ...(await this.#known(host)) },
        expected: [201, 409],
      }),
    );
    return status === 409 ? "conflict" : "created";
  }

  /** Sends a report and returns the state of the host; `undefined` when the API does not know the host. */
  async report(host: string, report: AgentReport): Promise<HostState | undefined> {
    const headers = await this.#known(host);
    const answer = await this.#send(`/hosts/${host}`, { method: "PATCH", body: report, headers, expected: [404] });
    if (answer.status === 200) return (await this.#json(answer)) as unknown as HostState;
    await answer.discard();
    return undefined;
  }

  /** One that is gone is success. */
  async remove(host: string): Promise<void> {
    const headers = await this.#known(host);
    await this.#settled(await this.#send(`/hosts/${host}`, { method: "DELETE", headers, expected: [202, 404] }));
  }

  async bootstrapData(host: string): Promise<{ readonly format: string; readonly config: string }> {
    const headers = await this.#known(host);
    const { config, format } = await this.#json(await this.#send(`/hosts/${host}/bootstrap`, { headers }));
    return { format: String(format), config: String(config) };
  }

  /** Returns the description of the bundle that the host should have. */
  async components(host: string): Promise<JsonObject> {
    return this.#json(await this.#send(`/hosts/${host}/components`, { headers: await this.#known(host) }));
  }

  /** The bytes of a part of the bundle from an offset on. `from`: where they begin, which is 0 where ranges are not served. */
  async componentBlob(
    host: string,
    digest: string,
    offset: number,
  ): Promise<{ readonly from: number; readonly body: AsyncIterable<Uint8Array> }> {
    const headers = { ...(await this.#known(host)), ...(offset > 0 && { range: `bytes=${offset}-` }) };
    const path = `/hosts/${host}/components/blob?digest=${digest}`;
    const { body, status } = await this.#send(path, { headers, expected: [206] });
    return { from: status === 206 ? offset : 0, body };
  }

  #registering(): Readonly<Record<string, string>> {
    return { "registration-authorization": `Bearer ${this.#options.registration.token}` };
  }

  async #known(host: string): Promise<Readonly<Record<string, string>>> {
    const { clock, identity, registration } = this.#options;
    const token = await identity.token({ host, uri: registration.uri, now: clock.now() });
    return { authorization: `Bearer ${token}` };
  }

  async #send(path: string, { body, expected = [], headers = {}, method = "GET" }: Call): Promise<HttpAnswer> {
    const { registration, requests, signal } = this.#options;
    const answer = await requests.send({
      method,
      url: `${registration.uri}${path}`,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status === 200 || expected.includes(answer.status)) return answer;
    throw await refusal(`${method} ${path === "" ? "the registration" : path.split("?")[0]}`, answer);
  }

  async #settled(answer: HttpAnswer): Promise<HttpAnswer> {
    await answer.discard();
    return answer;
  }

  async #json(answer: HttpAnswer): Promise<JsonObject> {
    const text = Buffer.from(await answer.bytes(maxAnswerBytes)).toString("utf8");
    try {
      const value: unknown = JSON.parse(text);
      return isJsonObject(value) ? value : {};
    } catch (error) {
      throw notTheApi(this.#options.registration, error);
    }
  }
}

const notTheApi = ({ uri }: AgentRegistration, cause: unknown): Error =>
  elementalError({
    code: "elemental.api_refused",
    reason: "ApiRefused",
    message: `${uri} answers no JSON, which the Elemental API does; correct registration.uri, or the proxy before it`,
    retry: { kind: "backoff" },
    cause,
  });

const refusal = async (what: string, answer: HttpAnswer): Promise<Error> => {
  const text = Buffer.from(await answer.bytes(maxAnswerBytes)).toString("utf8");
  const said = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "";
  return elementalError({
    code: "elemental.api_refused",
    reason: "ApiRefused",
    message: `the Elemental API answers ${answer.status} to ${what}${said === "" ? "" : `: ${said}`}`,
    retry: { kind: "backoff" },
    details: { status: answer.status },
  });
};
