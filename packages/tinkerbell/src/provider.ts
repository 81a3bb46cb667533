import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { hardwareConditions } from "./api/hardware-conditions.ts";
import { webhooks } from "./admission/webhooks.ts";
import { BmcJob } from "./api/bmc-job.ts";
import { BmcMachine } from "./api/bmc-machine.ts";
import { BmcTask } from "./api/bmc-task.ts";
import { Hardware } from "./api/hardware.ts";
import { Template } from "./api/template.ts";
import { WorkflowRuleSet } from "./api/workflow-rule-set.ts";
import { Workflow } from "./api/workflow.ts";
import { bmcJobController } from "./bmc/job-controller.ts";
import { bmcMachineController } from "./bmc/machine-controller.ts";
import { bmcTaskController } from "./bmc/task-controller.ts";
import { hardwareController } from "./hardware/hardware-controller.ts";
import { dhcpService } from "./services/dhcp-service.ts";
import { httpServices } from "./services/http-services.ts";
import { grpcService } from "./services/grpc-service.ts";
import { syslogService } from "./services/syslog-service.ts";
import { tftpService } from "./services/tftp-service.ts";
import { bootFolder } from "./netboot/boot-folder.ts";
import { workflowController } from "./workflow/workflow-controller.ts";
import { givenOptions } from "./given-options.ts";
import { declaration, type TinkerbellProviderOptions, tinkerbellParts } from "./options.ts";

/** Tinkerbell: the kinds of machines, of their board management, and of what runs on them. */
export const createTinkerbellProvider = (options: TinkerbellProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "tinkerbell",
    conditions: { Hardware: hardwareConditions },
    webhooks,
    kinds: [Hardware, Template, Workflow, WorkflowRuleSet, BmcMachine, BmcJob, BmcTask],
    register: (host) => {
      const { ca, concurrency = 10, guard, parts = tinkerbellParts, services } = options;
      const way = { ca: ca === undefined ? [] : [ca], guard };
      if (parts.includes("bmc")) {
        host.add(bmcMachineController(way));
        host.add(bmcJobController());
        host.add(bmcTaskController(way));
      }
      if (parts.includes("workflow")) {
        host.add(workflowController({ concurrency }));
        host.add(hardwareController());
      }
      if (services === undefined) return;
      const { dhcp, ipxeFolder, ipxePatch: patch = "", syslog } = services;
      const folder = ipxeFolder === undefined ? undefined : bootFolder({ path: ipxeFolder, patch });
      if (parts.includes("http")) host.add(httpServices(services, { folder, guard }));
      if (parts.includes("grpc")) host.add(grpcService(services));
      if (parts.includes("dhcp") && dhcp !== undefined) host.add(dhcpService(services, dhcp));
      if (parts.includes("tftp") && folder !== undefined) host.add(tftpService(services, folder));
      if (parts.includes("syslog") && syslog === true) host.add(syslogService(services));
    },
  });

/** The provider as the command loads it: it serves machines where the variable TINKERBELL_ADDRESS says how they reach it. */
export const createProvider = withOptions(declaration, ({ guard, simulated, variable }, options) => {
  const { ca } = simulated("metal") ?? {};
  return createTinkerbellProvider({
    ...givenOptions(options, variable("TINKERBELL_ADDRESS")),
    ...(ca !== undefined && { ca }),
    ...(guard !== undefined && { guard }),
  });
}) satisfies CreateProviderV1;
