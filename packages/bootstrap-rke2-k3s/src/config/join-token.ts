import {
  type BootstrapContext,
  clusterAuthority,
  findClusterSecret,
  findClusterToken,
  withCertificates,
} from "@capstan/kit/bootstrap";
import type { KubeObject } from "@capstan/schema";
import { pinAuthorityAnnotation } from "../api/conditions.ts";
import { pinnedToken } from "../render/pinned-token.ts";
import { annotationInvalid } from "./annotation-map.ts";

const agentPurpose = "agent-token";

/** The token of agents alone, for the first server: it is made by users, or there is none. */
export const findAgentToken = async (context: BootstrapContext<KubeObject>): Promise<string | undefined> =>
  (await findClusterSecret(context, agentPurpose))?.["value"] || undefined;

const isPinned = ({ cluster }: BootstrapContext<KubeObject>): boolean => {
  const text = cluster.metadata.annotations?.[pinAuthorityAnnotation] ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw annotationInvalid(cluster, pinAuthorityAnnotation, `is ${JSON.stringify(text)}; use true or false`);
};

/**
 * Returns the token that a machine joins with and the one that servers accept from agents; `undefined` while there is
 * no token. A change of a Secret wakes the config.
 */
export const joinTokens = async (
  context: BootstrapContext<KubeObject>,
): Promise<{ readonly token: string; readonly agentToken: string | undefined } | undefined> => {
  const serverToken = await findClusterToken(context);
  if (serverToken === undefined) return undefined;
  const agents = await context.clusterSecret(agentPurpose);
  const agentToken = agents?.["value"] || undefined;
  const usesOwn = !context.controlPlane && agentToken !== undefined;
  const token = usesOwn ? agentToken : serverToken;
  if (!isPinned(context)) return { token, agentToken };
  const { certificate } = await withCertificates(context, "join", () => clusterAuthority(context));
  return { token: pinnedToken(token, certificate, usesOwn ? "node" : "server"), agentToken };
};
