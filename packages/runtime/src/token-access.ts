import { createHash } from "node:crypto";
import type { Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";

type Verdict = "allowed" | "unauthenticated" | "forbidden";

/** Who may read a path. */
export type MetricsAccess = (request: {
  readonly path: string;
  /** The Authorization header. */
  readonly authorization: string | undefined;
}) => Promise<Verdict>;

interface TokenReview {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

interface AccessReview {
  readonly status?: { readonly allowed?: boolean };
}

/** As long as the API server's own delegated checks are remembered. */
const rememberMs = 60_000;
const maxRemembered = 100;

/**
 * Asks the API server who a bearer token stands for (TokenReview) and whether that user may `get` the path (SubjectAccessReview on
 * a non-resource URL). Answers are remembered for a minute.
 */
export const tokenAccess = (client: Client, clock: Clock): MetricsAccess => {
  const remembered = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  return async ({ path, authorization = "" }) => {
    const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return "unauthenticated";
    const key = `${path} ${createHash("sha256").update(token).digest("hex")}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > clock.now()) return known.verdict;
    const verdict = await review(client, path, token);
    remembered.set(key, { verdict, until: clock.now() + rememberMs });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(oldest);
    }
    return verdict;
  };
};

const review = async (client: Client, path: string, token: string): Promise<Verdict> => {
  const { status } = await client.request<TokenReview>({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
  });
  if (status?.authenticated !== true || status.user === undefined) return "unauthenticated";
  const { username, uid, groups, extra } = status.user;
  const answer = await client.request<AccessReview>({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: username, uid, groups, extra, nonResourceAttributes: { path, verb: "get" } },
    },
  });
  return answer.status?.allowed === true ? "allowed" : "forbidden";
};
