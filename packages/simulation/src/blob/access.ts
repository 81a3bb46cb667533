import type { ServiceRequest } from "../http/service.ts";
import { blobRefusal, notAuthenticated } from "./blob-refusal.ts";
import type { BlobTarget } from "./blob-request.ts";
import { checkSharedKey, isSignedBy } from "./shared-key.ts";
import { oldestVersion, sasKeys, sasText } from "./signed-url.ts";
import type { BlobIdentity, BlobUse, StorageAccount } from "./storage-account.ts";

/** Permissions of the bearer of a request. */
export interface Access {
  /** Throws unless the use is permitted. */
  demand(use: BlobUse): void;
  /** May write only what is not there. */
  readonly createsOnly: boolean;
  /** Whose token came with the request, if one did. */
  readonly identity?: BlobIdentity;
}

export interface AccessRules {
  readonly account: StorageAccount;
  readonly target: BlobTarget;
  readonly parameters: ReadonlyMap<string, string>;
  readonly now: number;
  readonly identityOf: (token: string) => BlobIdentity | undefined;
}

/** Who may do what by the request's key, token or signature. Throws the service's answer otherwise. */
export const accessOf = (request: ServiceRequest, rules: AccessRules): Access => {
  const authorization = request.headers["authorization"];
  if (authorization === undefined && rules.parameters.has("sig")) return bySignature(request, rules);
  if (authorization === undefined) {
    throw blobRefusal(409, "PublicAccessNotPermitted", "Public access is not permitted on this storage account.");
  }
  if (authorization.startsWith("Bearer ")) return byToken(authorization.slice("Bearer ".length), rules);
  checkSharedKey(request, rules);
  return {
    createsOnly: false,
    demand: (use) => {
      if (use === "delegate") throw notAuthenticated("Only an access token gets a user delegation key.");
    },
  };
};

const byToken = (token: string, { identityOf }: AccessRules): Access => {
  const identity = identityOf(token);
  if (identity === undefined) {
    throw blobRefusal(401, "InvalidAuthenticationInfo", "Server failed to authenticate the request.", {
      headers: { "www-authenticate": 'Bearer resource_id="https://storage.azure.com"' },
    });
  }
  return { identity, createsOnly: false, demand: (use) => permit(identity.allows(use)) };
};

const permit = (isPermitted: boolean): void => {
  if (isPermitted) return;
  throw blobRefusal(
    403,
    "AuthorizationPermissionMismatch",
    "This request is not authorized to perform this operation using this permission.",
  );
};

const knownParameters = new Set(
  "sv se st sp sr spr sig skoid sktid skt ske sks skv saoid suoid scid rscc rscd rsce rscl rsct".split(" "),
);

/** Returns whether a parameter belongs to a signature, and not to the operation. */
export const isSasParameter = (name: string): boolean => knownParameters.has(name);

const letters: Readonly<Partial<Record<BlobUse, readonly string[]>>> = {
  read: ["r"],
  write: ["c", "w"],
  delete: ["d"],
  list: ["l"],
};

const bySignature = (request: ServiceRequest, rules: AccessRules): Access => {
  const { parameters, target } = rules;
  const scope = parameters.get("sr") ?? "";
  const resource = scope === "c" ? { ...target, blob: "" } : target;
  if (scope !== "b" && scope !== "c") throw notAuthenticated("sr is mandatory: b or c.");
  checkPeriod(rules);
  checkProtocol(request, parameters);
  const text = sasText(parameters, resource);
  if (!isSignedBy(sasKeys(parameters, rules.account), text, parameters.get("sig") ?? "")) {
    throw notAuthenticated("Signature did not match.");
  }
  const permissions = parameters.get("sp") ?? "";
  return {
    createsOnly: !permissions.includes("w"),
    demand: (use) => {
      const isContainerUse = use === "list" && scope === "b";
      permit(!isContainerUse && (letters[use] ?? []).some((letter) => permissions.includes(letter)));
    },
  };
};

const timeOf = (parameters: ReadonlyMap<string, string>, name: string): number | undefined => {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw notAuthenticated(`${name} is no ISO 8601 time in UTC.`);
  return time;
};

const checkPeriod = ({ now, parameters }: AccessRules): void => {
  const version = parameters.get("sv") ?? "";
  if (!/^\d{4}-\d\d-\d\d$/.test(version) || version < oldestVersion) {
    throw notAuthenticated(`sv must be a version from ${oldestVersion} on.`);
  }
  const period = (start: string, end: string): number => {
    const until = timeOf(parameters, end);
    if (until === undefined) throw notAuthenticated(`${end} is mandatory.`);
    const from = timeOf(parameters, start) ?? now;
    if (now < from || now >= until) {
      throw notAuthenticated(`Signature not valid in the specified time frame: ${start} to ${end}.`);
    }
    return until;
  };
  const until = period("st", "se");
  if (parameters.has("skoid") && until > period("skt", "ske")) {
    throw notAuthenticated("The signature is valid longer than the key of the identity.");
  }
};

const checkProtocol = ({ serverUrl }: ServiceRequest, parameters: ReadonlyMap<string, string>): void => {
  const protocols = parameters.get("spr") ?? "https,http";
  if (protocols !== "https" && protocols !== "https,http") throw notAuthenticated("spr must be https or https,http.");
  if (protocols === "https" && !serverUrl.startsWith("https:")) {
    throw blobRefusal(403, "AuthorizationProtocolMismatch", "This request is not authorized by using this protocol.");
  }
};
