/* Runs a program for which the system has as many MB of memory as the first argument says: changes what the call sysinfo answers. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(pid_t who, unsigned long megabytes) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, who, 0, &registers) != 0) return;
  if (registers.orig_rax != SYS_sysinfo || registers.rax != 0) return;
  struct sysinfo info;
  struct iovec here = {&info, sizeof info}, there = {(void *)registers.rdi, sizeof info};
  if (process_vm_readv(who, &here, 1, &there, 1, 0) < 0) return;
  info.totalram = megabytes * 1024 * 1024 / info.mem_unit;
  process_vm_writev(who, &here, 1, &there, 1, 0);
}

int main(int count, char **words) {
  (void)count;
  pid_t first = fork();
  if (first == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execv(words[2], words + 2);
    _exit(127);
  }
  int status;
  waitpid(first, &status, 0);
  ptrace(PTRACE_SETOPTIONS, first, 0,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL);
  ptrace(PTRACE_SYSCALL, first, 0, 0);
  for (;;) {
    pid_t who = waitpid(-1, &status, __WALL);
    if (who < 0) return errno == ECHILD ? 0 : 1;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (who == first) return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) tell(who, strtoul(words[1], 0, 10));
    int passes = signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
    ptrace(PTRACE_SYSCALL, who, 0, passes);
  }
}
