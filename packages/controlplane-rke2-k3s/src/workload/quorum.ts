import { majorityOf } from "@capstan/kit/control-plane";
import { isReady, type Server, type Servers } from "./servers.ts";

const isMember = ({ member }: Server): boolean => member !== undefined && !member.removed;

const works = (server: Server): boolean => isReady(server) && server.member?.votes === true;

/**
 * Why the members of etcd without that of one Node were no safe majority; `undefined` when they are, and when that Node has none: then
 * nothing is lost with it. A member works while the Node of its server is ready.
 */
export const quorumObstacle = (servers: Servers, leaving: string): string | undefined => {
  const own = servers.get(leaving);
  if (own !== undefined && !isMember(own)) return undefined;
  const left = [...servers]
    .filter(([name, server]) => name !== leaving && isMember(server))
    .map(([, server]) => server);
  if (left.some(({ member }) => member?.leaves === true)) return "another etcd member is being removed";
  if (left.some(({ member }) => member?.votes === false)) return "an etcd member has not finished joining";
  const working = left.filter(works).length;
  const needed = majorityOf(left.length);
  return working >= needed
    ? undefined
    : `etcd would lose quorum: ${working} of ${left.length} members would be healthy, ${needed} required`;
};
