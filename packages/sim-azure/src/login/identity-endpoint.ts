import { apiService, Refusal, reply, type Route, type Service, text } from "@capstan/simulation";
import { same } from "../resource-id.ts";
import { route } from "../route.ts";
import type { World } from "../world.ts";
import { tokenFor } from "./tokens.ts";

const path = "/metadata/identity/oauth2/token";

const denied = (message: string): Refusal => new Refusal(400, message, { code: "invalid_request" });

/** The Microsoft Authentication Library asks with a slash at the end, others without. */
const paths = [path, `${path}/`] as const;

const routes: readonly Route<World>[] = paths.map((each) =>
  route({
    method: "GET",
    path: each,
    query: {
      "api-version": text({ enum: ["2018-02-01", "2019-08-01", "2021-02-01"] }),
      resource: text({ min: 1 }),
      client_id: text(),
      object_id: text(),
    },
    handle: ({ query: { resource, client_id: client, object_id: object, ...query }, headers }, world) => {
      if (headers["metadata"] !== "true") throw denied("Required metadata header not specified");
      if (query["api-version"] === undefined) throw denied("Required query variable 'api-version' is missing");
      if (resource === undefined) throw denied("Required query variable 'resource' is missing");
      const principal = world.principals.find(
        ({ clientId, objectId }) => same(clientId, client ?? clientId) && same(objectId, object ?? objectId),
      );
      if (principal === undefined) throw denied("Identity not found");
      const { claims, token } = tokenFor(principal, resource, world);
      return {
        access_token: token,
        client_id: principal.clientId,
        expires_in: String(claims.exp - claims.nbf),
        expires_on: String(claims.exp),
        ext_expires_in: String(claims.exp - claims.nbf),
        not_before: String(claims.nbf),
        resource,
        token_type: "Bearer",
      };
    },
  }),
);

/**
 * Where a process on a machine of Azure gets the tokens of the machine's managed identities. Any of the principals is an identity of this
 * computer. Source: Azure Instance Metadata Service, "How to use managed identities for Azure resources on an Azure VM to acquire an
 * access token".
 */
export const identityEndpoint = (cloud: Parameters<typeof apiService>[0]["cloud"], world: World): Service =>
  apiService<World>({
    cloud,
    world,
    routes,
    owns: (request) => paths.some((each) => each === request.path),
    wordRefusal: ({ status, code, message }: Refusal) =>
      reply(status, { error: code ?? "invalid_request", error_description: message }),
  });
