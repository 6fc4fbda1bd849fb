// A dense switch (a jump table), gotos and early exits in loops.
extern "C" __global__ void machine(const unsigned char* program, const int* in, int* out, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stack[8] = {in[i], i, 3, 7, 1, 2, 4, 5}, top = in[i] & 7, acc = in[i];
    for (int pc = 0, steps = 0; steps < 200 && pc < length; steps++, pc++) {
        switch (program[pc] % 12) {
            case 0: acc += stack[top]; break;
            case 1: acc -= stack[top] * 3; break;
            case 2: stack[top] = acc; break;
            case 3: top = (top + 1) & 7; break;
            case 4: acc ^= acc << 5; break;
            case 5: if (acc < 0) pc += 2; break;
            case 6: acc = stack[0] + (acc >> 2); break;
            case 7: stack[7] ^= top; continue;
            case 8: acc = -acc; break;
            case 9: if ((acc & 15) == 3) goto done; break;
            case 10: acc = acc % 1000003; break;
            default: top = (top + 5) & 7;
        }
    }
done:
    out[i] = acc + stack[top] + stack[(top + 3) & 7];
}
