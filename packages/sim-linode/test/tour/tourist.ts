import { createLinodeClient, type Instance, type LinodeClient, LinodeError } from "@capstan/linode-client";
import { expect } from "vitest";
import { type Simulation, smallInstance } from "../../src/testing.ts";

/** An answer that came to someone on a tour. */
export interface Seen {
  readonly method: string;
  /** Below the API version, without query. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** What the parts of a tour work with. */
export interface Tourist extends Pick<Simulation, "simulator" | "clock"> {
  readonly client: LinodeClient;
  readonly seen: readonly Seen[];
  /** An instance that is off. */
  readonly offline: (label: string, more?: object) => Promise<Instance>;
  /** Says that a call is refused. */
  readonly refused: (status: number, call: Promise<unknown>) => Promise<void>;
  /** For what the client has no call for. */
  readonly wire: (method: string, path: string, body?: object) => Promise<unknown>;
}

/** Someone who goes through the whole API and writes down what is answered. */
export const tourist = ({ simulator, clock }: Simulation): Tourist => {
  const seen: Seen[] = [];
  const base = `${simulator.url}/v4beta/`;
  const note = (sent: Pick<Seen, "method" | "body"> & { readonly url: string }, status: number, text: string): void => {
    const { method, body, url } = sent;
    const path = new URL(url).pathname.replace("/v4beta/", "");
    const given = body instanceof Uint8Array ? {} : body;
    seen.push({ method, path, body: given, status, answer: text === "" ? {} : (JSON.parse(text) as unknown) });
  };
  const client = createLinodeClient({
    url: base,
    token: simulator.token,
    cache: false,
    retry: { maxRetries: 0 },
    hooks: { afterResponse: ({ request, status, body }) => note(request, status, body) },
  });
  const wire = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${simulator.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    note({ method, body, url: base + path }, response.status, text);
    if (!response.ok) throw new LinodeError({ method, path, status: response.status });
    return JSON.parse(text) as unknown;
  };
  return {
    simulator,
    clock,
    client,
    seen,
    wire,
    offline: async (label, more = {}) => {
      const instance = await client.instances.create({ ...smallInstance, label, ...more });
      await clock.advance(200);
      return instance;
    },
    refused: (status, call) => expect(call).rejects.toMatchObject({ status }),
  };
};
