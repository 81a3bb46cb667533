import type { Duplex } from "node:stream";
import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServiceDefinition,
  status,
} from "@grpc/grpc-js";
import {
  type EtcdAlarm,
  type EtcdCluster,
  EtcdError,
  type EtcdFailure,
  type EtcdMember,
  etcdVersion,
} from "./etcd-cluster.ts";
import { etcdServices } from "./etcd-services.ts";

/** PEM. */
export interface EtcdServerCertificates {
  /** Whose client certificates are accepted, and no others. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** The gRPC endpoint of one member, for connections that reach its machine. */
export interface EtcdServer {
  /** Takes a new connection. */
  accept(connection: Duplex): void;
  /** Lets calls end, then closes every connection. */
  close(): void;
}

const codes: Readonly<Record<EtcdFailure, status>> = {
  unavailable: status.UNAVAILABLE,
  failedPrecondition: status.FAILED_PRECONDITION,
  notFound: status.NOT_FOUND,
};

type Request = Readonly<Record<string, unknown>>;

const memberMessage = ({ id: ID, ...member }: EtcdMember) => ({ ID, isLearner: false, ...member });

/** The answers of the member with the id. */
const answers = (cluster: EtcdCluster, id: string): Readonly<Record<string, (request: Request) => object>> => ({
  MemberList: ({ linearizable }) => {
    if (linearizable === true) cluster.needLeader();
    return { members: cluster.members.map(memberMessage) };
  },
  MemberRemove: ({ ID }) => {
    cluster.remove(String(ID));
    return { members: cluster.members.map(memberMessage) };
  },
  Alarm: ({ action, memberID, alarm }) => {
    cluster.needLeader();
    if (action !== "GET") cluster.setAlarm(String(memberID), alarm as EtcdAlarm, action === "ACTIVATE");
    return { alarms: cluster.alarms };
  },
  Status: () => ({
    isLearner: cluster.members.some((member) => member.id === id && member.isLearner === true),
    version: etcdVersion,
    storageVersion: etcdVersion.replace(/\.\d+$/, ".0"),
    dbSize: 20_480,
    dbSizeInUse: 20_480,
    leader: cluster.leader ?? "0",
    raftIndex: cluster.index,
    raftAppliedIndex: cluster.index,
    raftTerm: cluster.term,
    errors: [
      ...(cluster.leader === undefined ? ["etcdserver: no leader"] : []),
      ...cluster.alarms.map(({ memberID, alarm }) => `memberID:${memberID} alarm:${alarm} `),
    ],
  }),
  MoveLeader: ({ targetID }) => {
    cluster.moveLeader(id, String(targetID));
    return {};
  },
});

/** Serves the API of one member, with TLS on both sides. */
export const serveEtcd = (cluster: EtcdCluster, id: string, certificates: EtcdServerCertificates): EtcdServer => {
  const server = new Server();
  const handlers = Object.fromEntries(
    Object.entries(answers(cluster, id)).map(([name, answer]) => [
      name,
      ({ request }: ServerUnaryCall<Request, object>, done: sendUnaryData<object>) => {
        try {
          const header = { clusterId: cluster.id, memberId: id, raftTerm: cluster.term };
          done(null, { header, ...answer(request) });
        } catch (error) {
          if (!(error instanceof EtcdError)) throw error;
          done({ code: codes[error.failure], details: error.message });
        }
      },
    ]),
  );
  for (const service of ["Cluster", "Maintenance"]) {
    server.addService(etcdServices[`etcdserverpb.${service}`] as ServiceDefinition, handlers);
  }
  const { authority, certificate, key } = certificates;
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
  const injector = server.createConnectionInjector(ServerCredentials.createSsl(Buffer.from(authority), [pair], true));
  const connections = new Set<Duplex>();
  return {
    accept: (connection) => {
      connections.add(connection);
      connection.once("close", () => connections.delete(connection));
      injector.injectConnection(connection);
    },
    close: () =>
      server.tryShutdown(() => {
        injector.destroy();
        for (const connection of connections) connection.destroy();
      }),
  };
};
