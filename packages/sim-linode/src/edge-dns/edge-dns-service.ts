import { type ApiCloud, apiService, reply, type Service } from "@capstan/simulation";
import type { EdgeGridClient } from "@capstan/linode-client/edge-grid";
import { signatureCheck } from "./edge-grid-check.ts";
import { type EdgeDnsWorld, recordSetRoutes } from "./record-sets.ts";

interface Options {
  readonly world: EdgeDnsWorld;
  readonly cloud: ApiCloud;
  /** The one client that is accepted. */
  readonly client: EdgeGridClient;
}

/** The part of Akamai's zone API that endpoints need: signed requests, each accepted once, and record sets as Edge DNS keeps them. */
export const edgeDnsService = ({ client, cloud, world }: Options): Service =>
  apiService({
    routes: recordSetRoutes,
    world,
    cloud,
    pathOf: (path) => path.slice(1),
    admit: signatureCheck(client, cloud.clock),
    wordRefusal: ({ field, message, status }) =>
      reply(
        status,
        JSON.stringify({ title: "Refused", status, detail: field === undefined ? message : `${field}: ${message}` }),
        { "content-type": "application/problem+json" },
      ),
  });
