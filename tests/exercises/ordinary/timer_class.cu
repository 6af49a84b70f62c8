// Graded: 9 solved:
#include "transpose.h"
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

struct Event {
    cudaEvent_t e;
    Event() { cudaEventCreate(&e); }
    ~Event() { cudaEventDestroy(e); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    Event(Event &&o) noexcept : e(std::exchange(o.e, nullptr)) {}
    void record(cudaStream_t s = nullptr) const { cudaEventRecord(e, s); }
};
static int count_sms()
{
    int n = 0;
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);
    return n;
}
static const int sms = count_sms();
class Timer {
  public:
    explicit Timer(const char *name) : name_(name) { start_.record(); }
    ~Timer()
    {
        float ms = 0.0f;
        stop_.record();
        cudaEventSynchronize(stop_.e);
        cudaEventElapsedTime(&ms, start_.e, stop_.e);
        printf("%s: %.3f ms\n", name_, ms);
    }

  private:
    const char *name_;
    Event start_, stop_;
};

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    Timer t("transpose");
    const auto begin = std::chrono::steady_clock::now();
    Event e;
    auto owner = std::make_unique<Event>();
    std::shared_ptr<Event> shared = std::make_shared<Event>();
    e.record();
    std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
    printf("%.3f ms on the host, %d SMs\n", ms.count(), sms);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
