// Refuses AMX to a program that asks the kernel for it by way of the C library, so that ONNX Runtime takes its VNNI path:
// cc -shared -fPIC -o noamx.so noamx.c; LD_PRELOAD=./noamx.so node ort.js ...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long number, ...) {
  static long (*next)(long, ...);
  long a[6];
  va_list list;
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_arch_prctl && a[0] == 0x1023) { // ARCH_REQ_XCOMP_PERM
    errno = EPERM;
    return -1;
  }
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
