import type { PeerCertificate } from "node:tls";
import type { ServerUnaryCall, ServerWritableStream, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Clock } from "@capstan/contract";
import {
  getAction,
  knownTime,
  reportAction,
  type CallContext,
  type CallParts,
  type KnownCaller,
} from "./agent-calls.ts";
import { agentService, workerService, type AgentStatus, type ReceivedReport, type WorkerStatus } from "./messages.ts";
import { failureFor, mayComeLater, unavailable } from "./rpc-failure.ts";
import { isAgentReport } from "./wire-status.ts";
import {
  fullNames,
  plainNames,
  reportWorkerAction,
  workflowActions,
  workflowContexts,
  type WorkflowNaming,
} from "./worker-calls.ts";

type Message = Readonly<Record<string, unknown>>;
type UnaryCall = ServerUnaryCall<Message, Message>;
type Streaming = ServerWritableStream<Message, Message>;

export interface GatewayParts extends CallParts {
  /** Who a caller is, by its address as the server sees it, and the certificate that it has shown. */
  readonly identify: (peer: string, certificate: PeerCertificate | undefined) => KnownCaller;
  /** Returns whether what is read from the cache counts. */
  readonly isReady: () => boolean;
  /** Ends calls that wait. */
  readonly signal: AbortSignal;
}

/** Maximum wait of an agent's request for an action, and interval between checks for one. */
const longPoll = { forMs: 60_000, everyMs: 1000 } as const;

/** A call ends with its caller, and with the gateway. */
const contextOf = (call: UnaryCall | Streaming, { identify, signal }: GatewayParts): CallContext => {
  const gone = new AbortController();
  call.once("cancelled", () => gone.abort());
  return {
    ...identify(call.getPeer(), call.getAuthContext().sslPeerCertificate),
    signal: AbortSignal.any([signal, gone.signal]),
  };
};

const ready = ({ isReady }: GatewayParts): void => {
  if (!isReady()) throw unavailable("Workflows have not been read yet");
};

/** Answers with what `make` gives, or with the failure that it throws. */
const unary =
  <Request>(parts: GatewayParts, make: (request: Request, context: CallContext) => Promise<Message>) =>
  (call: UnaryCall, answer: sendUnaryData<Message>): void => {
    const respond = async (): Promise<void> => {
      try {
        ready(parts);
        answer(null, await make(call.request as Request, contextOf(call, parts)));
      } catch (error) {
        answer(failureFor(error));
      }
    };
    void respond();
  };

/** Asks again until there is something, or it has taken too long. */
const patiently = async <T>(clock: Clock, signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
  const end = clock.now() + longPoll.forMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!mayComeLater(error) || clock.now() + longPoll.everyMs > end || signal.aborted) throw error;
    }
    await clock.sleep(longPoll.everyMs, { signal });
  }
};

interface OfWorkflow {
  readonly workflowId: string;
}

const contexts =
  (parts: GatewayParts, naming: WorkflowNaming) =>
  (call: Streaming): void => {
    try {
      ready(parts);
      const context = contextOf(call, parts);
      for (const each of workflowContexts(parts, String(call.request["workerId"]), naming, context)) call.write(each);
      call.end();
    } catch (error) {
      call.emit("error", failureFor(error));
    }
  };

const actions = (parts: GatewayParts, naming: WorkflowNaming) =>
  unary(parts, async ({ workflowId }: OfWorkflow, context) => ({
    actionList: await workflowActions(parts, workflowId, naming, context),
  }));

const workerReport = async (
  parts: GatewayParts,
  { actionStatus: state, ...report }: WorkerStatus,
  naming: WorkflowNaming,
  context: CallContext,
): Promise<Message> => {
  await reportWorkerAction(parts, { ...report, state }, naming, context);
  return {};
};

const agentReport = async (
  parts: GatewayParts,
  { actionState: state, executionDuration: duration, executionStart, executionStop, message, ...ids }: AgentStatus,
  context: CallContext,
): Promise<Message> => {
  const [start, stop] = [knownTime(executionStart), knownTime(executionStop)];
  const times = { ...(start !== undefined && { start }), ...(stop !== undefined && { stop }) };
  await reportAction(parts, { ...ids, ...times, state, duration, message: message?.message ?? "" }, context);
  return {};
};

/** One path for two messages: which of them it is shows in the bytes. */
const reportMethod = {
  ...agentService.ReportActionStatus,
  requestDeserialize: (bytes: Buffer) =>
    (isAgentReport(bytes)
      ? { agent: agentService.ReportActionStatus.requestDeserialize(bytes) }
      : { worker: agentService.ReportOlderStatus.requestDeserialize(bytes) }) as ReceivedReport,
};

const { GetAction, GetWorkflowActions, GetWorkflowContexts } = agentService;

/** Returns the services for all generations of agents and workers, each at the path of its generation. */
export const gatewayServices = (parts: GatewayParts) => {
  const present: UntypedServiceImplementation = {
    GetAction: unary(parts, ({ agentId }: { readonly agentId: string }, context) =>
      patiently(parts.clock, context.signal, () => getAction(parts, agentId, context)),
    ),
    ReportActionStatus: unary(parts, (report: ReceivedReport, context) =>
      "agent" in report
        ? agentReport(parts, report.agent, context)
        : workerReport(parts, report.worker, fullNames, context),
    ),
    GetWorkflowContexts: contexts(parts, fullNames),
    GetWorkflowActions: actions(parts, fullNames),
  };
  const old: UntypedServiceImplementation = {
    GetWorkflowContexts: contexts(parts, plainNames),
    GetWorkflowActions: actions(parts, plainNames),
    ReportActionStatus: unary(parts, (message: WorkerStatus, context) =>
      workerReport(parts, message, plainNames, context),
    ),
    // Nothing is kept between actions, as upstream does it where workflows are objects.
    GetWorkflowData: unary(parts, async ({ workflowId }: OfWorkflow, context) => {
      await workflowActions(parts, workflowId, plainNames, context);
      return {};
    }),
    UpdateWorkflowData: unary(parts, async ({ workflowId }: OfWorkflow, context) => {
      await workflowActions(parts, workflowId, plainNames, context);
      return {};
    }),
  };
  return [
    {
      definition: { GetAction, ReportActionStatus: reportMethod, GetWorkflowContexts, GetWorkflowActions },
      handlers: present,
    },
    { definition: workerService, handlers: old },
  ] as const;
};
