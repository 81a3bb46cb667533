import { fromJSON, type MethodDefinition, type ServiceDefinition } from "@grpc/proto-loader";

const field = (type: string, id: number) => ({ type, id });
const list = (type: string, id: number) => ({ type, id, rule: "repeated" });
const call = (requestType: string, responseType: string, streams = false) => ({
  requestType,
  responseType,
  ...(streams && { responseStream: true }),
  comment: "",
});

const Timestamp = { fields: { seconds: field("int64", 1), nanos: field("int32", 2) } };

/** Messages that workers up to v0.12 send and receive. */
const older = {
  Timestamp,
  Empty: { fields: {} },
  State: { values: { PENDING: 0, RUNNING: 1, FAILED: 2, TIMEOUT: 3, SUCCESS: 4 } },
  WorkflowContextRequest: { fields: { workerId: field("string", 1) } },
  WorkflowContext: {
    fields: {
      workflowId: field("string", 1),
      currentWorker: field("string", 2),
      currentTask: field("string", 3),
      currentAction: field("string", 4),
      currentActionIndex: field("int64", 5),
      currentActionState: field("State", 6),
      totalNumberOfActions: field("int64", 7),
    },
  },
  WorkflowActionsRequest: { fields: { workflowId: field("string", 1) } },
  WorkflowActionList: { fields: { actionList: list("WorkflowAction", 1) } },
  WorkflowAction: {
    fields: {
      taskName: field("string", 1),
      name: field("string", 2),
      image: field("string", 3),
      timeout: field("int64", 4),
      command: list("string", 5),
      onTimeout: list("string", 6),
      onFailure: list("string", 7),
      workerId: field("string", 8),
      volumes: list("string", 9),
      environment: list("string", 10),
      pid: field("string", 11),
    },
  },
  WorkflowActionStatus: {
    fields: {
      workflowId: field("string", 1),
      taskName: field("string", 2),
      actionName: field("string", 3),
      actionStatus: field("State", 4),
      seconds: field("int64", 5),
      message: field("string", 6),
      createdAt: field("Timestamp", 7),
      workerId: field("string", 8),
    },
  },
  GetWorkflowDataRequest: { fields: { workflowId: field("string", 1), version: field("int32", 2) } },
  GetWorkflowDataResponse: { fields: { data: field("bytes", 1), version: field("int32", 2) } },
  UpdateWorkflowDataRequest: {
    fields: { workflowId: field("string", 1), metadata: field("bytes", 2), data: field("bytes", 3) },
  },
};

/** Messages that agents send and receive. */
const newer = {
  ActionRequest: { fields: { agentId: field("string", 1) } },
  ActionResponse: {
    fields: {
      workflowId: field("string", 1),
      taskId: field("string", 2),
      agentId: field("string", 3),
      actionId: field("string", 4),
      name: field("string", 5),
      image: field("string", 6),
      timeout: field("int64", 7),
      command: list("string", 8),
      volumes: list("string", 9),
      environment: list("string", 10),
      pid: field("string", 11),
      namespaces: field("Namespaces", 12),
    },
  },
  Namespaces: { fields: { network: field("string", 1), pid: field("string", 2) } },
  StateType: { values: { UNSPECIFIED: 0, PENDING: 1, RUNNING: 2, FAILED: 3, TIMEOUT: 4, SUCCESS: 5 } },
  ActionMessage: { fields: { message: field("string", 1) } },
  ActionStatusRequest: {
    fields: {
      workflowId: field("string", 1),
      agentId: field("string", 2),
      taskId: field("string", 3),
      actionId: field("string", 4),
      actionName: field("string", 5),
      actionState: field("StateType", 6),
      executionStart: field("Timestamp", 7),
      executionStop: field("Timestamp", 8),
      executionDuration: field("string", 9),
      message: field("ActionMessage", 10),
    },
  },
  ActionStatusResponse: { fields: {} },
};

const olderMethods = {
  GetWorkflowContexts: call("WorkflowContextRequest", "WorkflowContext", true),
  GetWorkflowActions: call("WorkflowActionsRequest", "WorkflowActionList"),
};

const definitions = fromJSON(
  {
    nested: {
      proto: {
        nested: {
          ...older,
          ...newer,
          WorkflowService: {
            methods: {
              ...olderMethods,
              GetAction: call("ActionRequest", "ActionResponse"),
              ReportActionStatus: call("ActionStatusRequest", "ActionStatusResponse"),
              // Only its messages are used: the path is that of ReportActionStatus.
              ReportOlderStatus: call("WorkflowActionStatus", "Empty"),
            },
          },
        },
      },
      "github.com.tinkerbell.tink.protos.workflow": {
        nested: {
          ...older,
          WorkflowService: {
            methods: {
              ...olderMethods,
              ReportActionStatus: call("WorkflowActionStatus", "Empty"),
              GetWorkflowData: call("GetWorkflowDataRequest", "GetWorkflowDataResponse"),
              UpdateWorkflowData: call("UpdateWorkflowDataRequest", "Empty"),
            },
          },
        },
      },
    },
  },
  { longs: Number, enums: String, defaults: true, oneofs: false },
);

type Methods<Name extends string> = Readonly<Record<Name, MethodDefinition<object, object>>>;
type OlderMethod = "GetWorkflowActions" | "GetWorkflowContexts" | "ReportActionStatus";

/** The service of agents, and of workers from v0.9 on. */
export const agentService = definitions["proto.WorkflowService"] as ServiceDefinition &
  Methods<OlderMethod | "GetAction" | "ReportOlderStatus">;

/** That of workers up to v0.8. */
export const workerService = definitions[
  "github.com.tinkerbell.tink.protos.workflow.WorkflowService"
] as ServiceDefinition & Methods<OlderMethod | "GetWorkflowData" | "UpdateWorkflowData">;

interface Timestamp {
  readonly seconds?: number;
  readonly nanos?: number;
}

/** Message in which an agent reports the state of an action. */
export interface AgentStatus {
  readonly workflowId: string;
  readonly agentId: string;
  readonly taskId: string;
  readonly actionId: string;
  readonly actionName: string;
  readonly actionState: string;
  readonly executionStart: Timestamp | null;
  readonly executionStop: Timestamp | null;
  readonly executionDuration: string;
  readonly message: { readonly message?: string } | null;
}

/** Message in which a worker up to v0.12 reports the state of an action. */
export interface WorkerStatus {
  readonly workflowId: string;
  readonly taskName: string;
  readonly actionName: string;
  readonly actionStatus: string;
  readonly seconds: number;
  readonly message: string;
}

/** A report of either, at one path. */
export type ReceivedReport = { readonly agent: AgentStatus } | { readonly worker: WorkerStatus };
