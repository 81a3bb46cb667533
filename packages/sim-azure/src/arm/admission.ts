import { type Admission, Refusal } from "@capstan/simulation";
import { readToken, stackAudience, type TokenClaims } from "../login/tokens.ts";
import { groupPath } from "../route.ts";
import type { Principal, World } from "../world.ts";
import { checkStack } from "./azure-stack.ts";
import { groupNotFound, refusal } from "./refusals.ts";
import { isWithin, same } from "../resource-id.ts";

/** Audiences of tokens that Azure Resource Manager takes, beside its own address. */
const audiences = ["https://management.azure.com", "https://management.core.windows.net"];

const unauthenticated = (code: string, message: string): Refusal =>
  new Refusal(401, message, {
    code,
    headers: { "www-authenticate": `Bearer error="invalid_token", error_description="${message}"` },
  });

const claimsFrom = (
  { headers, serverUrl }: Admission<World>,
  { clock, isStack, state, tenantId }: World,
): TokenClaims => {
  const token = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1];
  if (token === undefined) {
    throw unauthenticated(
      "AuthenticationFailed",
      "Authentication failed. The 'Authorization' header is missing or invalid.",
    );
  }
  const claims = readToken(token, state.key);
  if (claims === undefined) throw unauthenticated("InvalidAuthenticationToken", "The access token is invalid.");
  if (claims.exp * 1000 <= clock.now()) {
    throw unauthenticated(
      "ExpiredAuthenticationToken",
      "The access token expiry UTC time is earlier than current UTC time.",
    );
  }
  if (
    !(isStack ? [stackAudience] : [...audiences, serverUrl]).some((audience) =>
      same(audience, claims.aud.replace(/\/$/, "")),
    )
  ) {
    throw unauthenticated(
      "InvalidAuthenticationTokenAudience",
      `The access token has been obtained for wrong audience or resource '${claims.aud}'.`,
    );
  }
  if (!same(claims.tid, tenantId)) {
    throw unauthenticated("InvalidAuthenticationTokenTenant", "The access token is from the wrong issuer.");
  }
  return claims;
};

/** True if the path is that of role assignments or locks. Changing these takes more than the right to change resources. */
const isGrant = (path: string): boolean => /\/Microsoft\.Authorization\/(?:roleAssignments|locks)/i.test(path);

const authorise = ({ role, clientId, objectId }: Principal, { method, path }: Admission<World>): void => {
  const isRead = method === "GET" || method === "HEAD";
  if (isRead || role === "Owner" || (role === "Contributor" && !isGrant(path))) return;
  throw refusal(
    403,
    "AuthorizationFailed",
    `The client '${clientId}' with object id '${objectId}' does not have authorization to perform action '${method}' over scope '${path}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  );
};

/** Who asks, by its object ID. Throws the refusal of what no route has to look at: tokens, versions, rights, groups that are not there, locks. */
export const admit = (request: Admission<World>, world: World): string => {
  const { appid } = claimsFrom(request, world);
  const principal = world.principals.find(({ clientId }) => same(clientId, appid));
  if (principal === undefined) throw unauthenticated("InvalidAuthenticationToken", "The application is gone.");
  if (!new URLSearchParams(request.query).has("api-version")) {
    throw refusal(
      400,
      "MissingApiVersionParameter",
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  }
  if (world.isStack) checkStack(request);
  const { subscription } = request.params;
  if (subscription !== undefined && !same(subscription, world.subscriptionId)) {
    throw refusal(404, "SubscriptionNotFound", `The subscription '${subscription}' could not be found.`);
  }
  authorise(principal, request);
  checkGroup(request, world);
  checkLocks(request, world);
  return principal.objectId;
};

const checkGroup = ({ params, route, method }: Admission<World>, { state }: World): void => {
  const name = params["group"];
  if (name === undefined || route.path === groupPath) return;
  const group = state.groups.find((candidate) => same(candidate.name, name));
  if (group === undefined) throw groupNotFound(name);
  if (group.state === "Deleting" && (method === "PUT" || method === "PATCH" || method === "POST")) {
    throw refusal(
      409,
      "ResourceGroupBeingDeleted",
      `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`,
    );
  }
};

/** Locks hold everything below them, and deleting something deletes what is below it. */
const checkLocks = ({ method, path }: Admission<World>, { state }: World): void => {
  if (method === "GET" || method === "HEAD" || isGrant(path)) return;
  const target = `/${decodeURIComponent(path).replace(/^\/+|\/+$/g, "")}`;
  const lock = state.locks.find(
    ({ scope, level }) =>
      (method === "DELETE" && (isWithin(target, scope) || isWithin(scope, target))) ||
      (level === "ReadOnly" && isWithin(target, scope)),
  );
  if (lock === undefined) return;
  throw refusal(
    409,
    "ScopeLocked",
    `The scope '${target}' cannot perform ${method === "DELETE" ? "delete" : "write"} operation because following scope(s) are locked: '${lock.scope}'. Please remove the lock and try again.`,
  );
};
