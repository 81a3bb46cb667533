import { apiService, object, Refusal, reply, type Route, type Service, text } from "@capstan/simulation";
import { same } from "../resource-id.ts";
import { route } from "../route.ts";
import type { Principal, World } from "../world.ts";
import { claimsOf, tokenFor } from "./tokens.ts";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const tokenPath = "/:tenant/oauth2/v2.0/token";

/** A refusal as Microsoft Entra words it: an error of OAuth and a number of its own. */
const denied = (status: number, error: string, message: string): Refusal =>
  new Refusal(status, message, { code: error });

const ofTenant = (tenant: string, { tenantId }: World): void => {
  if (same(tenant, tenantId)) return;
  throw denied(400, "invalid_request", `AADSTS90002: Tenant '${tenant}' not found.`);
};

interface TokenForm {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_assertion?: string;
  readonly client_assertion_type?: string;
}

/** Who proves with a secret, or with an assertion that names it, who it is. What the assertion is signed with is not looked at. */
const authenticate = (form: TokenForm, world: World): Principal => {
  const id = form.client_id;
  const principal = world.principals.find(({ clientId }) => same(clientId, id));
  if (principal === undefined) {
    throw denied(
      400,
      "unauthorized_client",
      `AADSTS700016: Application with identifier '${id}' was not found in the directory.`,
    );
  }
  if (form.client_assertion !== undefined) {
    if (form.client_assertion_type !== assertionType) {
      throw denied(400, "invalid_request", `AADSTS900144: client_assertion_type must be ${assertionType}.`);
    }
    const claims = claimsOf(form.client_assertion.split(".")[1] ?? "");
    const now = world.clock.now() / 1000;
    if (claims?.["sub"] === undefined) {
      throw denied(401, "invalid_client", "AADSTS50027: JWT token is invalid or malformed.");
    }
    if (Number(claims["exp"] ?? 0) < now) {
      throw denied(401, "invalid_client", "AADSTS700024: Client assertion is not within its valid time range.");
    }
  } else if (form.client_secret !== principal.clientSecret) {
    throw denied(401, "invalid_client", `AADSTS7000215: Invalid client secret provided for app '${id}'.`);
  }
  return principal;
};

const routes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: "/:tenant/v2.0/.well-known/openid-configuration",
    handle: ({ params: { tenant }, serverUrl }, world) => {
      ofTenant(tenant, world);
      const place = `${serverUrl}/${world.tenantId}`;
      return {
        issuer: `${place}/v2.0`,
        authorization_endpoint: `${place}/oauth2/v2.0/authorize`,
        token_endpoint: `${place}/oauth2/v2.0/token`,
        jwks_uri: `${place}/discovery/v2.0/keys`,
        token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt"],
        response_types_supported: ["code", "id_token"],
        subject_types_supported: ["pairwise"],
        id_token_signing_alg_values_supported: ["RS256"],
        tenant_region_scope: null,
        cloud_instance_name: "localhost",
      };
    },
  }),
  route({
    method: "POST",
    path: tokenPath,
    bodyType: "form",
    body: object(
      {
        grant_type: text({ enum: ["client_credentials"] }),
        client_id: text({ min: 1 }),
        scope: text({ pattern: /\/\.default(?: |$)/ }),
        client_secret: text(),
        client_assertion: text(),
        client_assertion_type: text(),
        client_info: text(),
        claims: text(),
        "x-client-SKU": text(),
        "x-client-VER": text(),
        "x-client-OS": text(),
        "x-client-CPU": text(),
        "x-client-current-telemetry": text(),
        "x-client-last-telemetry": text(),
        "x-ms-lib-capability": text(),
        "client-request-id": text(),
      },
      ["grant_type", "client_id", "scope"],
    ),
    handle: ({ params: { tenant }, body }, world) => {
      ofTenant(tenant, world);
      const audience = (body.scope.split(" ")[0] ?? "").replace(/\/\.default$/, "");
      const { claims, token } = tokenFor(authenticate(body, world), audience, world);
      const lifetime = claims.exp - claims.nbf;
      return { token_type: "Bearer", expires_in: lifetime, ext_expires_in: lifetime, access_token: token };
    },
  }),
];

/** Returns whether a path is that of the login, not of the resource manager. */
export const isLogin = (path: string): boolean =>
  /^\/[^/]+\/(?:v2\.0\/\.well-known\/openid-configuration|oauth2\/v2\.0\/token)$/i.test(path);

/** Signing in: where whoever acts at Azure gets tokens from. */
export const loginApi = (cloud: Parameters<typeof apiService>[0]["cloud"], world: World): Service =>
  apiService<World>({
    cloud,
    world,
    routes,
    anyCase: true,
    // Clients name their request in the address or in the form.
    query: { "client-request-id": text() },
    owns: ({ path }) => isLogin(path),
    wordRefusal: ({ status, code, message }: Refusal) =>
      reply(status, {
        error: code ?? (status < 500 ? "invalid_request" : "temporarily_unavailable"),
        error_description: message,
        error_codes: [Number(/^AADSTS(\d+)/.exec(message)?.[1] ?? 900144)],
        timestamp: new Date(world.clock.now()).toISOString(),
      }),
    secrets: ["client_secret", "client_assertion"],
  });
