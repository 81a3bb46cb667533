import {
  flagField,
  int64,
  list,
  map,
  mapField,
  object,
  optional,
  string,
  textField,
  textsField,
  time,
} from "@capstan/schema";

const instant = (description: string) => optional(time({ description }));

const action = object(
  {
    id: string({ description: "Its id." }),
    name: textField("Its name."),
    image: textField("Its image."),
    timeout: optional(int64({ description: "Seconds it may take." })),
    command: textsField("Its command.", "An argument."),
    volumes: textsField("What is mounted.", "A mount."),
    pid: textField("Its namespace of processes; namespaces.pid is the newer field."),
    namespaces: optional(
      object(
        { network: textField("Its namespace of the network."), pid: textField("Its namespace of processes.") },
        { description: "Its namespaces of Linux." },
      ),
    ),
    environment: mapField("Its environment.", "A value."),
    state: textField("PENDING, RUNNING, SUCCESS, FAILED or TIMEOUT."),
    executionStart: instant("When it began."),
    executionStop: instant("When it ended."),
    executionDuration: textField("How long it took."),
    message: textField("What the agent said of it."),
  },
  { description: "An action." },
);

const task = object(
  {
    id: string({ description: "Its id." }),
    name: string({ description: "Its name." }),
    agentID: string({ description: "The agent that runs it." }),
    volumes: textsField("What is mounted for all its actions.", "A mount."),
    environment: mapField("The environment of all its actions.", "A value."),
    actions: list(action, { description: "Its actions." }),
  },
  { description: "A task." },
);

const boot = object(
  {
    allowNetboot: optional(
      object(
        {
          toggledTrue: flagField("Whether it was allowed."),
          toggledFalse: flagField("Whether it was forbidden again."),
        },
        { description: "What was done about booting from the network." },
      ),
    ),
    jobs: optional(
      map(
        object(
          {
            uid: textField("UID of the Job."),
            complete: flagField("Whether it is done."),
            existingJobDeleted: flagField("Whether one of the same name from before is gone."),
          },
          { description: "A Job." },
        ),
        { description: "Jobs of board management, by name." },
      ),
    ),
  },
  { description: "What was done about booting." },
);

const condition = object(
  {
    type: string({ description: "What it is about." }),
    status: string({ description: "True, False or Unknown." }),
    reason: textField("Why, for programs."),
    message: textField("Why, for people."),
    time: instant("When it last changed."),
  },
  { description: "One observation." },
);

/** The status of a workflow. */
export const workflowStatus = () =>
  object({
    agentID: textField("The agent of the current task."),
    state: textField("PREPARING, PENDING, RUNNING, POST, SUCCESS, FAILED or TIMEOUT."),
    bootOptions: optional(boot),
    templateRendering: textField("successful or failed."),
    globalTimeout: optional(int64({ description: "Seconds all actions together may take." })),
    globalExecutionStop: instant("When it times out."),
    currentState: optional(
      object(
        {
          agentID: textField("The agent."),
          taskID: textField("Id of the task."),
          taskName: textField("Name of the task."),
          actionID: textField("Id of the action."),
          actionName: textField("Name of the action."),
          state: textField("State of the action."),
        },
        { description: "The action that was last handed out or reported." },
      ),
    ),
    tasks: optional(list(task, { description: "Its tasks." })),
    conditions: optional(list(condition, { description: "Observations about the workflow.", type: "atomic" })),
  });
