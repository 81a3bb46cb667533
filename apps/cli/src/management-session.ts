import { connect, createClient, type Client } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { managementAccess, namespaceOf } from "./management-access.ts";
import { interruption } from "./terminal.ts";

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
  readonly client: Client;
  readonly namespace: string;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

/** Runs a command against the management API that it names; resolves to the exit status, 130 when it was interrupted. */
export const withManagement = async (
  request: ManagementRequest,
  work: (session: ManagementSession) => Promise<number>,
): Promise<number> => {
  const { signal, close } = interruption();
  try {
    const access = await managementAccess(request, process.env);
    const connection = connect({ access, clock: systemClock });
    try {
      return await work({ client: createClient(connection), namespace: namespaceOf(request, access), signal });
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  } finally {
    close();
  }
};
