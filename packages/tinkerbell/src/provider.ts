import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { BmcJob } from "./api/bmc-job.ts";
import { BmcMachine } from "./api/bmc-machine.ts";
import { BmcTask } from "./api/bmc-task.ts";
import { Hardware } from "./api/hardware.ts";
import { Template } from "./api/template.ts";
import { WorkflowRuleSet } from "./api/workflow-rule-set.ts";
import { Workflow } from "./api/workflow.ts";

/** Tinkerbell: the kinds of machines, of their board management, and of what runs on them. */
export const createTinkerbellProvider = (): ProviderV1 =>
  defineProvider({
    name: "tinkerbell",
    kinds: [Hardware, Template, Workflow, WorkflowRuleSet, BmcMachine, BmcJob, BmcTask],
    register: () => undefined,
  });

/** The provider as the command loads it. */
export const createProvider: CreateProviderV1 = () => createTinkerbellProvider();
