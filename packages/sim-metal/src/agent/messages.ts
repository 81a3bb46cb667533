import { fromJSON, type ServiceDefinition } from "@grpc/proto-loader";

const field = (type: string, id: number) => ({ type, id });
const maybe = (type: string, id: number) => ({ type, id, options: { proto3_optional: true } });
const list = (type: string, id: number) => ({ type, id, rule: "repeated" });
const call = (request: string, response: string) => ({ requestType: request, responseType: response, comment: "" });

/** Messages that agents of current installation systems send and receive, by field number. */
const nested = {
  Cpu: { fields: { totalCores: maybe("uint32", 1), totalThreads: maybe("uint32", 2) } },
  Memory: { fields: { total: maybe("string", 1), usable: maybe("string", 2) } },
  Block: { fields: { name: maybe("string", 1), controllerType: maybe("string", 2), driveType: maybe("string", 3) } },
  Network: { fields: { name: maybe("string", 1), mac: maybe("string", 2), speed: maybe("string", 3) } },
  AgentAttributes: {
    fields: {
      cpu: field("Cpu", 1),
      memory: field("Memory", 2),
      block: list("Block", 3),
      network: list("Network", 4),
    },
  },
  ActionRequest: { fields: { agentId: maybe("string", 1), agentAttributes: field("AgentAttributes", 2) } },
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
    },
  },
  StateType: { values: { UNSPECIFIED: 0, PENDING: 1, RUNNING: 2, FAILED: 3, TIMEOUT: 4, SUCCESS: 5 } },
  Timestamp: { fields: { seconds: field("int64", 1), nanos: field("int32", 2) } },
  ActionMessage: { fields: { message: maybe("string", 1) } },
  ActionStatusRequest: {
    fields: {
      workflowId: maybe("string", 1),
      agentId: maybe("string", 2),
      taskId: maybe("string", 3),
      actionId: maybe("string", 4),
      actionName: maybe("string", 5),
      actionState: maybe("StateType", 6),
      executionStart: field("Timestamp", 7),
      executionStop: field("Timestamp", 8),
      executionDuration: maybe("string", 9),
      message: field("ActionMessage", 10),
    },
  },
  ActionStatusResponse: { fields: {} },
  WorkflowService: {
    methods: {
      GetAction: call("ActionRequest", "ActionResponse"),
      ReportActionStatus: call("ActionStatusRequest", "ActionStatusResponse"),
    },
  },
};

/** `/proto.WorkflowService/GetAction` and `/proto.WorkflowService/ReportActionStatus`. */
export const workflowService = fromJSON(
  { nested: { proto: { nested } } },
  { keepCase: true, longs: Number, enums: String, defaults: true },
)["proto.WorkflowService"] as ServiceDefinition;

/** An action as the server hands it out. */
export interface Action {
  readonly workflowId: string;
  readonly taskId: string;
  readonly actionId: string;
  readonly name: string;
  readonly image: string;
  /** Seconds; 0: the server gave none. */
  readonly timeout: number;
  readonly command: readonly string[];
  /** `NAME=value` each. */
  readonly environment: readonly string[];
}
