// malloc and free in a kernel: linked lists; memset and memcpy.
struct Node { int value; Node* next; };
extern "C" __global__ void heap(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node* head = nullptr;
    for (int k = 0; k < 5; k++) {
        Node* node = (Node*)malloc(sizeof(Node));
        if (!node) return;
        node->value = in[(i * 5 + k) % n];
        node->next = head;
        head = node;
    }
    char* bytes = (char*)malloc(40);
    memset(bytes, i, 40);
    memcpy(bytes + 3, &head->value, 4);
    int sum = 0;
    while (head) {
        sum = sum * 7 + head->value;
        Node* next = head->next;
        free(head);
        head = next;
    }
    for (int k = 0; k < 40; k++) sum = sum * 31 + bytes[k];
    free(bytes);
    out[i] = sum;
}
