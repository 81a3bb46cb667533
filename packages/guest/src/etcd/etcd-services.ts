import { fromJSON, type PackageDefinition } from "@grpc/proto-loader";

const field = (type: string, id: number) => ({ type, id });
const list = (type: string, id: number) => ({ type, id, rule: "repeated" });
const call = (name: string) => ({ requestType: `${name}Request`, responseType: `${name}Response`, comment: "" });
const stream = (name: string) => ({ ...call(name), responseStream: true });
const header = field("ResponseHeader", 1);

/** Messages and services of etcd's API v3 that managers of its members call; field numbers as in its `rpc.proto`. */
const nested = {
  ResponseHeader: {
    fields: {
      clusterId: field("uint64", 1),
      memberId: field("uint64", 2),
      revision: field("int64", 3),
      raftTerm: field("uint64", 4),
    },
  },
  Member: {
    fields: {
      ID: field("uint64", 1),
      name: field("string", 2),
      peerURLs: list("string", 3),
      clientURLs: list("string", 4),
      isLearner: field("bool", 5),
    },
  },
  MemberListRequest: { fields: { linearizable: field("bool", 1) } },
  MemberListResponse: { fields: { header, members: list("Member", 2) } },
  MemberRemoveRequest: { fields: { ID: field("uint64", 1) } },
  MemberRemoveResponse: { fields: { header, members: list("Member", 2) } },
  AlarmType: { values: { NONE: 0, NOSPACE: 1, CORRUPT: 2 } },
  AlarmAction: { values: { GET: 0, ACTIVATE: 1, DEACTIVATE: 2 } },
  AlarmRequest: {
    fields: { action: field("AlarmAction", 1), memberID: field("uint64", 2), alarm: field("AlarmType", 3) },
  },
  AlarmMember: { fields: { memberID: field("uint64", 1), alarm: field("AlarmType", 2) } },
  AlarmResponse: { fields: { header, alarms: list("AlarmMember", 2) } },
  StatusRequest: { fields: {} },
  StatusResponse: {
    fields: {
      header,
      version: field("string", 2),
      dbSize: field("int64", 3),
      leader: field("uint64", 4),
      raftIndex: field("uint64", 5),
      raftTerm: field("uint64", 6),
      raftAppliedIndex: field("uint64", 7),
      errors: list("string", 8),
      dbSizeInUse: field("int64", 9),
      isLearner: field("bool", 10),
      storageVersion: field("string", 11),
    },
  },
  MoveLeaderRequest: { fields: { targetID: field("uint64", 1) } },
  MoveLeaderResponse: { fields: { header } },
  KeyValue: {
    fields: {
      key: field("bytes", 1),
      create_revision: field("int64", 2),
      mod_revision: field("int64", 3),
      version: field("int64", 4),
      value: field("bytes", 5),
      lease: field("int64", 6),
    },
  },
  RangeRequest: { fields: { key: field("bytes", 1), range_end: field("bytes", 2), limit: field("int64", 3) } },
  RangeResponse: {
    fields: { header, kvs: list("KeyValue", 2), more: field("bool", 3), count: field("int64", 4) },
  },
  PutRequest: { fields: { key: field("bytes", 1), value: field("bytes", 2) } },
  PutResponse: { fields: { header } },
  DeleteRangeRequest: { fields: { key: field("bytes", 1) } },
  DeleteRangeResponse: { fields: { header, deleted: field("int64", 2) } },
  CompactionRequest: { fields: { revision: field("int64", 1), physical: field("bool", 2) } },
  CompactionResponse: { fields: { header } },
  KV: {
    methods: {
      Range: call("Range"),
      Put: call("Put"),
      DeleteRange: call("DeleteRange"),
      Compact: call("Compaction"),
    },
  },
  DefragmentRequest: { fields: {} },
  DefragmentResponse: { fields: { header } },
  SnapshotRequest: { fields: {} },
  SnapshotResponse: {
    fields: { header, remaining_bytes: field("uint64", 2), blob: field("bytes", 3), version: field("string", 4) },
  },
  Cluster: { methods: { MemberList: call("MemberList"), MemberRemove: call("MemberRemove") } },
  Maintenance: {
    methods: {
      Alarm: call("Alarm"),
      Status: call("Status"),
      MoveLeader: call("MoveLeader"),
      Defragment: call("Defragment"),
      Snapshot: stream("Snapshot"),
    },
  },
};

/** The services `etcdserverpb.Cluster` and `etcdserverpb.Maintenance`, for servers and clients of @grpc/grpc-js; 64-bit numbers are text. */
export const etcdServices: PackageDefinition = fromJSON(
  { nested: { etcdserverpb: { nested } } },
  { keepCase: true, longs: String, enums: String, defaults: true },
);
