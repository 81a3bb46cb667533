import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerWritableStream,
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
  outOfRange: status.OUT_OF_RANGE,
  resourceExhausted: status.RESOURCE_EXHAUSTED,
  dataLoss: status.DATA_LOSS,
};

/** Bytes of the database in one message. */
const pieceBytes = 32_768;

type Request = Readonly<Record<string, unknown>>;

const memberMessage = ({ id: ID, ...member }: EtcdMember) => ({ ID, isLearner: false, ...member });

/** The answers about keys, which only a majority gives. */
const keyAnswers = (cluster: EtcdCluster): Readonly<Record<string, (request: Request) => Promise<object>>> => ({
  Range: async ({ key, limit, range_end: end }) => {
    cluster.needLeader();
    cluster.needSound();
    const [from, to] = [String(key), String(end)];
    const found = (await cluster.keys()).filter((each) =>
      to === "" ? each.key === from : each.key >= from && each.key < to,
    );
    const page = Number(limit) === 0 ? found : found.slice(0, Number(limit));
    return {
      kvs: page.map((each) => ({ key: Buffer.from(each.key), value: each.value, create_revision: each.created })),
      more: page.length < found.length,
      count: found.length,
    };
  },
  Put: async ({ key, value }) => {
    cluster.needLeader();
    cluster.needSound();
    cluster.needSpace();
    await cluster.put(String(key), value as Buffer);
    return {};
  },
  DeleteRange: async ({ key }) => {
    cluster.needLeader();
    cluster.needSound();
    await cluster.delete(String(key));
    return { deleted: 1 };
  },
  Compact: async ({ revision }) => {
    cluster.needLeader();
    cluster.needSound();
    cluster.compact(Number(revision));
    return {};
  },
});

/** The answers of the member with the id. */
const answers = (
  cluster: EtcdCluster,
  id: string,
): Readonly<Record<string, (request: Request) => object | Promise<object>>> => ({
  ...keyAnswers(cluster),
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
    dbSize: cluster.sizeOf(id),
    dbSizeInUse: cluster.sizeInUse,
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
  Defragment: () => {
    cluster.defragment(id);
    return {};
  },
});

const headerOf = (cluster: EtcdCluster, id: string) => ({
  clusterId: cluster.id,
  memberId: id,
  revision: cluster.index,
  raftTerm: cluster.term,
});

/** Sends the database of a member in pieces, with its SHA-256 at the end. */
const sendSnapshot = async (
  cluster: EtcdCluster,
  id: string,
  call: ServerWritableStream<Request, object>,
): Promise<void> => {
  const database = await cluster.database();
  const whole = Buffer.concat([database, createHash("sha256").update(database).digest()]);
  for (let at = 0; at < whole.length; at += pieceBytes) {
    const blob = whole.subarray(at, at + pieceBytes);
    const remaining_bytes = String(whole.length - at - blob.length);
    call.write({ header: headerOf(cluster, id), remaining_bytes, blob, version: etcdVersion });
  }
  call.end();
};

/** Serves the API of one member, with TLS on both sides. */
export const serveEtcd = (cluster: EtcdCluster, id: string, certificates: EtcdServerCertificates): EtcdServer => {
  const server = new Server();
  const handlers = Object.fromEntries(
    Object.entries(answers(cluster, id)).map(([name, answer]) => [
      name,
      async ({ request }: ServerUnaryCall<Request, object>, done: sendUnaryData<object>) => {
        try {
          done(null, { header: headerOf(cluster, id), ...(await answer(request)) });
        } catch (error) {
          if (error instanceof EtcdError) done({ code: codes[error.failure], details: error.message });
          else done({ code: status.UNKNOWN, details: String(error) });
        }
      },
    ]),
  );
  const Snapshot = (call: ServerWritableStream<Request, object>): void => {
    sendSnapshot(cluster, id, call).catch((error: unknown) => {
      call.destroy(Object.assign(new Error(String(error)), { code: status.UNKNOWN, details: String(error) }));
    });
  };
  for (const service of ["Cluster", "KV", "Maintenance"]) {
    server.addService(etcdServices[`etcdserverpb.${service}`] as ServiceDefinition, { ...handlers, Snapshot });
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
