import {
  apiService,
  type Faults,
  type Requests,
  reply,
  simulation,
  type SimulatedState,
  type SimulationOptions,
} from "@capstan/simulation";
import type { EdgeGridClient } from "../../dns/edge-grid.ts";
import { signatureCheck } from "./edge-grid-check.ts";
import { recordSetRoutes, type StoredZone } from "./record-sets.ts";

export interface EdgeDnsSimulatorOptions extends SimulationOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** The one client that is accepted. */
  readonly client: EdgeGridClient;
  /** Names of the zones of a new account. */
  readonly zones: readonly string[];
}

interface EdgeDnsState extends SimulatedState {
  readonly version: 1;
  readonly zones: StoredZone[];
}

/** Simulated zones at Akamai Edge DNS, on loopback. */
export interface EdgeDnsSimulator {
  readonly url: string;
  readonly state: { readonly zones: readonly StoredZone[] };
  readonly requests: Requests;
  readonly faults: Faults;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The part of Akamai's zone API that endpoints need: signed requests, each accepted once, and record sets as Edge DNS keeps them. */
export const createEdgeDnsSimulator = async (options: EdgeDnsSimulatorOptions): Promise<EdgeDnsSimulator> => {
  const { client, clock, port = 0, zones } = options;
  const empty = (): Pick<EdgeDnsState, "zones"> => ({ zones: zones.map((zone) => ({ zone, recordsets: [] })) });
  const cloud = await simulation<EdgeDnsState>({ name: "edgedns", state: { version: 1, empty } }, options);
  const service = apiService({
    routes: recordSetRoutes,
    world: cloud,
    cloud,
    pathOf: (path) => path.slice(1),
    admit: signatureCheck(client, clock),
    wordRefusal: ({ field, message, status }) =>
      reply(
        status,
        JSON.stringify({ title: "Refused", status, detail: field === undefined ? message : `${field}: ${message}` }),
        { "content-type": "application/problem+json" },
      ),
  });
  const served = cloud.server({ port }).serve("edge-dns", service);
  return {
    get url() {
      return served.url;
    },
    state: cloud.state,
    requests: served.requests,
    faults: served.faults,
    start: () => cloud.start(),
    stop: () => cloud.stop(),
  };
};
