import { CapstanError, isCapstanError } from "@capstan/contract";
import { connect, createClient, type Client, type Connection } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { managementAccess, meantFolder, namespaceOf } from "./management-access.ts";
import { runCommand, type CommandEnd } from "./run-command.ts";

/** Which management API a command of a person is about, as its flags say it. */
export interface ManagementRequest {
  /** Default: that of the kubeconfig's context. */
  readonly namespace: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly dataDir: string | undefined;
}

/** Context of a command on the management API. */
export interface ManagementSession {
  readonly connection: Connection;
  readonly client: Client;
  readonly namespace: string;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

/** Where nothing listens any more, the command that listened has ended. */
const becauseEnded = (error: unknown, folder: string | undefined): unknown =>
  folder !== undefined && isCapstanError(error, "kube.unavailable") && error.details?.["cause"] === "ECONNREFUSED"
    ? new CapstanError({
        code: "command.not_running",
        reason: "NotRunning",
        message: `no capstan up is running with the data folder ${folder}: start it, or name a management API with --data-dir or --kubeconfig`,
        retry: { kind: "never" },
        cause: error,
      })
    : error;

/** Runs a command against the management API that it names; resolves to the exit status, by default 130 when it was interrupted. */
export const withManagement = async (
  request: ManagementRequest,
  work: (session: ManagementSession) => Promise<number>,
  end: CommandEnd = { interrupted: 130 },
): Promise<number> =>
  runCommand(end, async (signal) => {
    const access = await managementAccess(request, process.env);
    const connection = connect({ access, clock: systemClock });
    try {
      const namespace = namespaceOf(request, access);
      return await work({ connection, client: createClient(connection), namespace, signal });
    } catch (error) {
      throw becauseEnded(error, meantFolder(request, process.env));
    } finally {
      await connection.close();
    }
  });
