import { connect, createClient, type Client, type Connection } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { managementAccess, namespaceOf } from "./management-access.ts";
import { runCommand, type CommandEnd } from "./run-command.ts";

/** Which management API a command of a person is about, as its flags say it. */
export interface ManagementRequest {
  /** Default: that of the kubeconfig's context. */
  readonly namespace: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly dataDir: string | undefined;
}

/** What such a command works with. */
export interface ManagementSession {
  readonly connection: Connection;
  readonly client: Client;
  readonly namespace: string;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

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
    } finally {
      await connection.close();
    }
  });
