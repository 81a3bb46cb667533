/** Content of a rendered Template. */
export interface WorkflowDefinition {
  /** Seconds for all actions together; 0: no limit. */
  readonly globalTimeout: number;
  readonly tasks: readonly TaskDefinition[];
}

export interface TaskDefinition {
  readonly name: string;
  /** The agent that runs it. */
  readonly worker: string;
  readonly volumes: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly actions: readonly ActionDefinition[];
}

export interface ActionDefinition {
  readonly name: string;
  readonly image: string;
  /** Seconds; 0: none is given. */
  readonly timeout: number;
  readonly command: readonly string[];
  readonly volumes: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly pid: string;
  readonly namespaces: { readonly network: string; readonly pid: string };
}
